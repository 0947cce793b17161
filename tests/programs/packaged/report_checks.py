"""What must hold in every report, whatever the program and the machine do: run.json against itself,
against run.txt, and against the clock that was started before the command."""

NAMES_OF_VERDICTS = ("Success", "Failure", "Nothing saved", "Gears were set")


def times(report: dict, wall: float) -> list[str]:
    wrong = []
    if not 0 < report["time_s"] <= wall:
        wrong.append(f"time_s is {report['time_s']:.3f}, the whole command took {wall:.3f} s")
    for rank in report["ranks_detail"]:
        name = f"rank {rank['rank']}"
        told = rank["computation_s"] + rank["communication_s"] + rank["overhead_s"]
        if not 0.5 * rank["time_s"] <= told <= rank["time_s"] + 0.001:
            wrong.append(f"{name}: computation, communication and overhead are {told:.3f} s of "
                         f"{rank['time_s']:.3f} s")
        if rank["iterations"] > 0:
            end = rank["loop_first_iteration_s"] + rank["loop_s"]
            if end > 1.001 * rank["time_s"] + 0.001:
                wrong.append(f"{name}: the loop ends at {end:.3f} s, the run at "
                             f"{rank['time_s']:.3f} s")
        if rank["overhead_s"] > rank["time_s"]:
            wrong.append(f"{name}: overhead_s exceeds its time")
    slowest = max((rank["time_s"] for rank in report["ranks_detail"]), default=0)
    if abs(slowest - report["time_s"]) > 1e-6:
        wrong.append("time_s is not that of the slowest rank")
    return wrong


def choices(report: dict) -> list[str]:
    wrong = []
    gears = {node["name"]: node["gears"] for node in report["nodes"]}
    for number, choice in enumerate(report["decisions"], 1):
        name = f"choice {number}"
        if choice["declined"] and any(choice["gears"]):
            wrong.append(f"{name}: declined, but not gear 0: {choice['gears']}")
        if len(choice["gears"]) != len(report["nodes"]):
            wrong.append(f"{name}: not one gear per node")
        for node, gear in zip(choice["nodes"], choice["gears"]):
            if gears.get(node, gear + 1) <= gear:
                wrong.append(f"{name}: {node} has no gear {gear}")
        slow = choice["predicted_iteration_time_s"] / max(choice["iteration_time_s"], 1e-12)
        if any(choice["gears"]) and not 0.97 <= slow < 10:
            wrong.append(f"{name}: predicts {slow:.3f} times the time of gear 0")
        if (choice["measured_time_ratio"] or 1) < 0.97:
            wrong.append(f"{name}: measured {choice['measured_time_ratio']:.3f} times gear 0")
        for order in choice["set"]:
            if not 0 <= order["time_s"] <= report["time_s"] + 0.001:
                wrong.append(f"{name}: set at {order['time_s']:.3f} s")
    return wrong


def ever_in_effect(report: dict) -> bool:
    """Some node was in a gear other than 0."""
    return any(order["in_effect"] and order["gear"] > 0
               for choice in report["decisions"] for order in choice["set"])


def verdict(report: dict, text: str) -> list[str]:
    wrong = []
    said = report["verdict"]
    if report["method"] in ("none", "fixed"):
        return ["a verdict although nothing was chosen"] if said else []
    if not said.startswith(NAMES_OF_VERDICTS):
        wrong.append(f"unknown verdict: {said}")
    if " ".join(text.split())[:len(said)] != " ".join(said.split()):
        wrong.append("run.txt does not begin with the verdict of run.json")
    if ever_in_effect(report) and not report["gears_in_effect"]:
        wrong.append("gears were in effect, but gears_in_effect is false")
    if ("no gears were set" in said) == report["gears_in_effect"]:
        wrong.append("the verdict and gears_in_effect contradict each other")
    whole = report["whole_run"]
    if said.startswith("Success") and whole:
        bound = report["max_slowdown"]
        if bound is not None and whole["time_ratio"] > 1 + bound + 0.0005:
            wrong.append(f"success, but {whole['time_ratio']:.4f} times the time of gear 0")
        if whole["energy_ratio"] is not None and whole["energy_ratio"] >= 1:
            wrong.append("success, but no energy was saved")
    if whole and not 0.97 < whole["time_ratio"] < 10:
        wrong.append(f"the whole run took {whole['time_ratio']:.3f} times as long as in gear 0")
    return wrong


def loop(report: dict, text: str, expected: bool) -> list[str]:
    """A loop was found, or the report says why not."""
    without = [rank["rank"] for rank in report["ranks_detail"] if rank["iterations"] == 0]
    chosen = any(not choice["before_loop"] for choice in report["decisions"])
    if len(without) < len(report["ranks_detail"]):
        return [] if chosen or report["method"] != "exact" or report["remarks"] or expected is False \
            else ["a loop was found, but no gears were chosen, and the report does not say why"]
    if "No loop" not in " ".join(text.split()) and not report["remarks"]:
        return ["no loop was found, and the report does not say why"]
    return ["no loop was found in a program that plainly iterates"] if expected else []


def contradictions(report: dict, text: str, wall: float, exit_code: int, expects_loop: bool,
                   ranks: int) -> list[str]:
    """Sentences, one for each thing that cannot be."""
    if report["schema"] != "hypermile/run/1":
        return ["unknown schema"]
    wrong = times(report, wall) + choices(report) + verdict(report, text)
    wrong += loop(report, text, expects_loop)
    if report["exit_code"] != exit_code:
        wrong.append(f"the report says exit code {report['exit_code']}, the command {exit_code}")
    if report["ranks"] != ranks:
        wrong.append(f"the report is of {report['ranks']} ranks")
    return wrong
