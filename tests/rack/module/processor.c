// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of each CPU: its frequency, the time that this takes from programs, and its
 * energy. The kernel counts the idle time of a CPU in microseconds; the rest is busy.
 */
#include "processor.h"

#include <linux/cpufreq.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

/* Long against the costs of an interrupt on an emulated processor. */
#define PERIOD_US 4000ULL

uint max_khz = 2500000, min_khz = 800000, step_khz = 100000;
module_param(max_khz, uint, 0444);
module_param(min_khz, uint, 0444);
module_param(step_khz, uint, 0444);

static uint idle_mw = 2000, busy_mw = 10000;
module_param(idle_mw, uint, 0444);
module_param(busy_mw, uint, 0444);

/* A moment in the life of a CPU. */
struct moment {
	u64 wall_us, idle_us;
};

struct processor {
	spinlock_t lock;
	unsigned int khz;
	struct moment counted; /* until then, the energy is in energy_pj */
	u64 energy_pj;
	struct hrtimer timer; /* runs on its CPU while khz < max_khz */
	struct moment taken;  /* until then, the timer has taken its share */
};

static DEFINE_PER_CPU(struct processor, processors);

static struct moment now_of(unsigned int cpu)
{
	struct moment now;

	now.idle_us = get_cpu_idle_time(cpu, &now.wall_us, 0);
	return now;
}

/* The busy time between two moments, at most the time itself. */
static u64 busy_us(struct moment from, struct moment to)
{
	u64 wall = to.wall_us > from.wall_us ? to.wall_us - from.wall_us : 0;
	u64 idle = to.idle_us > from.idle_us ? to.idle_us - from.idle_us : 0;

	return wall - min(wall, idle);
}

/* 1 mW for 1 us is 1 nJ. */
static void count_energy(struct processor *p, unsigned int cpu)
{
	struct moment now = now_of(cpu);
	u64 permille = div_u64((u64)p->khz * 1000, max_khz);
	u64 cube = div_u64(permille * permille * permille, 1000000); /* of 1000 */

	p->energy_pj += (now.wall_us - p->counted.wall_us) * idle_mw * 1000;
	p->energy_pj += busy_us(p->counted, now) * busy_mw * cube;
	p->counted = now;
}

u64 rack_energy_uj(unsigned int cpu)
{
	struct processor *p = per_cpu_ptr(&processors, cpu);
	unsigned long flags;
	u64 pj;

	spin_lock_irqsave(&p->lock, flags);
	count_energy(p, cpu);
	pj = p->energy_pj;
	spin_unlock_irqrestore(&p->lock, flags);
	return div_u64(pj, 1000000);
}

unsigned int rack_khz(unsigned int cpu)
{
	return READ_ONCE(per_cpu_ptr(&processors, cpu)->khz);
}

static void keep_cpu_for(u64 us)
{
	u64 until = ktime_get_ns() + us * 1000;

	while (ktime_get_ns() < until)
		cpu_relax();
}

static enum hrtimer_restart take_time(struct hrtimer *timer)
{
	struct processor *p = container_of(timer, struct processor, timer);
	unsigned int cpu = smp_processor_id();
	unsigned int khz = READ_ONCE(p->khz);
	u64 busy = busy_us(p->taken, now_of(cpu));

	if (khz >= max_khz)
		return HRTIMER_NORESTART;
	/*
	 * A virtual machine that the host held up must not make its programs pay for
	 * that; and between two interrupts they have a whole period, or they would get
	 * nowhere.
	 */
	busy = min_t(u64, busy, PERIOD_US);
	if (busy > PERIOD_US / 20)
		keep_cpu_for(div_u64(busy * (max_khz - khz), khz));
	p->taken = now_of(cpu);
	hrtimer_set_expires(timer, ktime_add_ns(ktime_get(), PERIOD_US * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static void start_timer(void *unused)
{
	struct processor *p = this_cpu_ptr(&processors);

	if (hrtimer_active(&p->timer) || p->khz >= max_khz)
		return;
	p->taken = now_of(smp_processor_id());
	hrtimer_start(&p->timer, ns_to_ktime(PERIOD_US * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

void rack_set_khz(const struct cpumask *cpus, unsigned int khz)
{
	unsigned int cpu;
	unsigned long flags;

	for_each_cpu(cpu, cpus)
	{
		struct processor *p = per_cpu_ptr(&processors, cpu);

		spin_lock_irqsave(&p->lock, flags);
		count_energy(p, cpu);
		WRITE_ONCE(p->khz, khz);
		spin_unlock_irqrestore(&p->lock, flags);
		smp_call_function_single(cpu, start_timer, NULL, 1);
	}
}

int rack_processor_start(void)
{
	unsigned int cpu;

	if (!step_khz || !min_khz || min_khz > max_khz ||
	    (max_khz - min_khz) / step_khz > 999)
		return -EINVAL;
	for_each_possible_cpu(cpu)
	{
		struct processor *p = per_cpu_ptr(&processors, cpu);

		spin_lock_init(&p->lock);
		p->khz = max_khz;
		p->counted = now_of(cpu);
		hrtimer_init(&p->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		p->timer.function = take_time;
	}
	return 0;
}

void rack_processor_stop(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) hrtimer_cancel(&per_cpu_ptr(&processors, cpu)->timer);
}
