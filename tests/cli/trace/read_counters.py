"""read_counters.py TRACE: the metrics of a trace in OTF2, read by Python's otf2, as JSON: for each place the
gears that it was in, and its energy: the sum of what it draws until the next event."""

import json
import sys

import otf2

with otf2.reader.open(sys.argv[1]) as trace:
    places = {}
    last = {}
    ticks = trace.timer_resolution
    for location, event in trace.events:
        if not isinstance(event, otf2.events.Metric):
            continue
        member = event.metric.members[0]
        scope = event.metric.scope
        place = places.setdefault(scope.name, {"gears": [], "energy_j": 0, "locations": [], "class": scope.class_name})
        if location.name not in place["locations"]:
            place["locations"].append(location.name)
        assert location.type == otf2.LocationType.METRIC, location.type
        assert member.metric_mode == otf2.MetricMode.ABSOLUTE_NEXT, member.metric_mode
        if member.name == "gear":
            place["gears"].append(event.value)
            continue
        assert (member.name, member.unit) == ("power", "W"), (member.name, member.unit)
        if scope.name in last:
            time, power = last[scope.name]
            place["energy_j"] += power * (event.time - time) / ticks
        last[scope.name] = (event.time, event.value)
    json.dump({"places": places, "last_w": [power for _, power in last.values()]}, sys.stdout)
