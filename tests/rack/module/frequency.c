// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cpufreq driver, in two kinds. The usual one has a table of frequencies, and takes
 * one of them. The other (limits_only) is told limits and a policy, and decides by
 * itself, like intel_pstate.
 */
#include "processor.h"

#include <linux/cpufreq.h>
#include <linux/module.h>
#include <linux/slab.h>

static uint cpus_per_policy = 1;
static bool limits_only;
module_param(cpus_per_policy, uint, 0444);
module_param(limits_only, bool, 0444);

static int fail, fail_after, fail_cpu = -1;
static bool stuck;
module_param(fail, int, 0644);
module_param(fail_after, int, 0644);
module_param(fail_cpu, int, 0644);
module_param(stuck, bool, 0644);

static struct cpufreq_frequency_table *table;

/* What the parameters for faults make of a change: 0, or a negative errno. */
static int fault(const struct cpufreq_policy *policy)
{
	if (!fail || (fail_cpu >= 0 && !cpumask_test_cpu(fail_cpu, policy->related_cpus)))
		return 0;
	if (fail_after > 0) {
		--fail_after;
		return 0;
	}
	return -fail;
}

static int change(const struct cpufreq_policy *policy, unsigned int khz)
{
	int error = fault(policy);

	if (!error && !stuck)
		rack_set_khz(policy->cpus, khz);
	return error;
}

static int rack_target_index(struct cpufreq_policy *policy, unsigned int index)
{
	return change(policy, table[index].frequency);
}

static int rack_setpolicy(struct cpufreq_policy *policy)
{
	bool slow = policy->policy == CPUFREQ_POLICY_POWERSAVE;

	return change(policy, slow ? policy->min : policy->max);
}

static int rack_init(struct cpufreq_policy *policy)
{
	unsigned int first = rounddown(policy->cpu, cpus_per_policy);
	unsigned int cpu;

	for_each_possible_cpu(cpu) if (cpu >= first && cpu < first + cpus_per_policy)
	    cpumask_set_cpu(cpu, policy->cpus);
	policy->cpuinfo.min_freq = policy->min = min_khz;
	policy->cpuinfo.max_freq = policy->max = max_khz;
	policy->cpuinfo.transition_latency = 10000;
	policy->cur = rack_khz(policy->cpu);
	if (limits_only)
		policy->policy = CPUFREQ_POLICY_PERFORMANCE;
	else
		policy->freq_table = table;
	return 0;
}

static int rack_exit(struct cpufreq_policy *policy)
{
	return 0;
}

static int rack_verify_limits(struct cpufreq_policy_data *policy)
{
	cpufreq_verify_within_cpu_limits(policy);
	return 0;
}

static struct cpufreq_driver with_table = {
    .name = "rack_cpu",
    .init = rack_init,
    .exit = rack_exit,
    .verify = cpufreq_generic_frequency_table_verify,
    .target_index = rack_target_index,
    .get = rack_khz,
    .attr = cpufreq_generic_attr,
};

static struct cpufreq_driver with_limits = {
    .name = "rack_cpu_limits",
    .init = rack_init,
    .exit = rack_exit,
    .verify = rack_verify_limits,
    .setpolicy = rack_setpolicy,
    .get = rack_khz,
};

static struct cpufreq_driver *driver(void)
{
	return limits_only ? &with_limits : &with_table;
}

int rack_frequency_start(void)
{
	unsigned int count = (max_khz - min_khz) / step_khz + 1, i;
	int error;

	if (!cpus_per_policy)
		return -EINVAL;
	table = kcalloc(count + 1, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	for (i = 0; i < count; ++i)
		table[i].frequency = max_khz - i * step_khz;
	table[count].frequency = CPUFREQ_TABLE_END;
	error = cpufreq_register_driver(driver());
	if (error)
		kfree(table);
	return error;
}

void rack_frequency_stop(void)
{
	cpufreq_unregister_driver(driver());
	kfree(table);
}
