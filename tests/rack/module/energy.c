// SPDX-License-Identifier: GPL-2.0-only
/* The zones "package-N" of powercap, under the name that the driver of RAPL gives them.
 */
#include "processor.h"

#include <linux/err.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/powercap.h>

#define MOST_ZONES 16

static uint cpus_per_package;
static ulong range_uj = 262143328850UL, begin_uj;
static int energy_fail;
module_param(cpus_per_package, uint, 0444);
module_param(range_uj, ulong, 0444);
module_param(begin_uj, ulong, 0444);
module_param(energy_fail, int, 0644);

static struct powercap_control_type *rapl;
static struct powercap_zone *zones[MOST_ZONES];
static unsigned int zone_count;

static int read_range(struct powercap_zone *zone, u64 *uj)
{
	*uj = range_uj;
	return 0;
}

static int read_energy(struct powercap_zone *zone, u64 *uj)
{
	unsigned int first = zone->id * cpus_per_package, cpu;
	u64 sum = begin_uj;

	if (energy_fail)
		return -energy_fail;
	for_each_online_cpu(cpu) if (cpu >= first && cpu < first + cpus_per_package)
	    sum += rack_energy_uj(cpu);
	div64_u64_rem(sum, range_uj, uj);
	return 0;
}

static int release_zone(struct powercap_zone *zone)
{
	return 0;
}

static const struct powercap_zone_ops zone_ops = {
    .get_max_energy_range_uj = read_range,
    .get_energy_uj = read_energy,
    .release = release_zone,
};

/* powercap takes no zone without a constraint. This one keeps what it is told and limits
 * nothing. */
static u64 kept_uw = 65000000, kept_us = 28000000;

static int get_limit(struct powercap_zone *zone, int id, u64 *uw)
{
	*uw = kept_uw;
	return 0;
}

static int set_limit(struct powercap_zone *zone, int id, u64 uw)
{
	kept_uw = uw;
	return 0;
}

static int get_window(struct powercap_zone *zone, int id, u64 *us)
{
	*us = kept_us;
	return 0;
}

static int set_window(struct powercap_zone *zone, int id, u64 us)
{
	kept_us = us;
	return 0;
}

static const char *name_of_limit(struct powercap_zone *zone, int id)
{
	return "long_term";
}

static const struct powercap_zone_constraint_ops limit_ops = {
    .set_power_limit_uw = set_limit,
    .get_power_limit_uw = get_limit,
    .set_time_window_us = set_window,
    .get_time_window_us = get_window,
    .get_name = name_of_limit,
};

static int add_zone(void)
{
	struct powercap_zone *zone;
	char name[16];

	snprintf(name, sizeof(name), "package-%u", zone_count);
	zone = powercap_register_zone(NULL, rapl, name, NULL, &zone_ops, 1, &limit_ops);
	if (IS_ERR(zone))
		return PTR_ERR(zone);
	zones[zone_count++] = zone;
	return 0;
}

int rack_energy_start(void)
{
	if (!range_uj)
		return -EINVAL;
	if (!cpus_per_package)
		cpus_per_package = num_present_cpus();
	rapl = powercap_register_control_type(NULL, "intel-rapl", NULL);
	if (IS_ERR(rapl))
		return PTR_ERR(rapl);
	while (zone_count < MOST_ZONES &&
	       zone_count * cpus_per_package < num_present_cpus()) {
		int error = add_zone();

		if (error) {
			rack_energy_stop();
			return error;
		}
	}
	return 0;
}

void rack_energy_stop(void)
{
	while (zone_count)
		powercap_unregister_zone(rapl, zones[--zone_count]);
	powercap_unregister_control_type(rapl);
}
