"""Flow charts in Mermaid's language, which GitHub draws by itself, drawn by Graphviz."""

import re

FIGURE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NODE = re.compile(r'(\w+)(?:\["([^"]*)"\])?')


def drawn(text):
    return FIGURE.sub(lambda figure: f"```{{graphviz}}\n{dot_of(figure.group(1))}```", text)


def dot_of(chart):
    """A chart of nodes, arrows and boxes; what else Mermaid has is an error."""
    lines = [line.strip() for line in chart.splitlines() if line.strip()]
    if lines[0] != "flowchart TD":
        raise ValueError(f"a figure begins with '{lines[0]}', not with 'flowchart TD'")
    dot = ['digraph {', 'bgcolor="transparent"', 'node [shape=box fontname="sans-serif"]']
    for line in lines[1:]:
        dot.append(statement(line))
    return "\n".join(dot + ["}"]) + "\n"


def statement(line):
    if line == "end":
        return "}"
    if box := re.fullmatch(r'subgraph (\w+)\["([^"]*)"\]', line):
        return f'subgraph cluster_{box.group(1)} {{ label="{box.group(2)}" fontname="sans-serif"'
    if arrow := re.fullmatch(r"(\w+) --> (\w+)", line):
        return f"{arrow.group(1)} -> {arrow.group(2)}"
    if node := NODE.fullmatch(line):
        return f'{node.group(1)} [label="{node.group(2) or node.group(1)}"]'
    raise ValueError(f"a figure has the line '{line}', which docs/sphinx/figures.py does not know")
