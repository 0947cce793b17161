/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RACK_PROCESSOR_H
#define RACK_PROCESSOR_H

#include <linux/cpumask.h>
#include <linux/types.h>

/* Frequencies in kHz. The highest is that of the real CPU. */
extern uint max_khz, min_khz, step_khz;

/* Checks the parameters; all CPUs run at max_khz then. Returns 0 or -EINVAL. */
int rack_processor_start(void);
/* All CPUs have their full speed afterwards. */
void rack_processor_stop(void);

/* Changes the frequency of these CPUs, with its effect on their programs. May sleep. */
void rack_set_khz(const struct cpumask *cpus, unsigned int khz);
unsigned int rack_khz(unsigned int cpu);

/* What the CPU has drawn since the module was loaded, in microjoules. */
u64 rack_energy_uj(unsigned int cpu);

/* The two halves of the interface to users; 0 or a negative errno. */
int rack_frequency_start(void);
void rack_frequency_stop(void);
int rack_energy_start(void);
void rack_energy_stop(void);

#endif
