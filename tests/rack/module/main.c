// SPDX-License-Identifier: GPL-2.0-only
/* A processor that is not there, under the cpufreq and powercap of the kernel. See
 * README.md. */
#include "processor.h"

#include <linux/module.h>

static int __init rack_start(void)
{
	int error = rack_processor_start();

	if (error)
		return error;
	error = rack_frequency_start();
	if (error)
		return error;
	error = rack_energy_start();
	if (error) {
		rack_frequency_stop();
		rack_processor_stop();
	}
	return error;
}

static void __exit rack_stop(void)
{
	rack_energy_stop();
	rack_frequency_stop();
	rack_processor_stop();
}

module_init(rack_start);
module_exit(rack_stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION(
    "A processor with frequencies and energy counters that is not there, for tests");
