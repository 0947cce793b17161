"""How Sphinx makes the site of the documentation; docs/sphinx/build starts it."""

import os
import shutil
import sys

from pygments.formatters import HtmlFormatter

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import contents  # noqa: E402
import figures  # noqa: E402

project = "hypermile"
author = "the hypermile developers"
version = release = os.environ["HYPERMILE_VERSION"]
html_title = f"hypermile {version}"

extensions = ["myst_parser", "sphinx.ext.graphviz"]
root_doc = "README"
exclude_patterns = ["docs/sphinx"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]  # of the pages of commands
smartquotes = False  # they make a dash of the -- of options
# A page whose first sections are small ones: docs/run-json.md.
suppress_warnings = ["myst.header"]

# This theme comes with all of its fonts and scripts, and its pages fit a phone.
html_theme = "sphinx_rtd_theme"
html_static_path = ["static"]
CODE = {"light": "xcode", "dark": "github-dark"}  # styles that can be read on the grounds of site.css
html_css_files = ["code.css", "site.css"]
html_show_sphinx = False
html_copy_source = False
graphviz_output_format = "svg"


def complete(app, page, source):
    """What only the site has: the tables of contents, and figures in place of their text."""
    source[0] = figures.drawn(source[0])
    if page == root_doc:
        source[0] += contents.of_the_site(app.srcdir)
    else:
        source[0] += contents.below(app.srcdir, page)


def begin_with_the_readme(app, failure):
    if failure is None and app.builder.name == "html":
        shutil.copyfile(os.path.join(app.outdir, "README.html"), os.path.join(app.outdir, "index.html"))


def write_colours_of_code(app, failure):
    """The theme has one style of colours for code, which is pale; these take its place."""
    if failure is not None or app.builder.name != "html":
        return
    place = ".rst-content div.highlight pre"
    with open(os.path.join(app.outdir, "_static", "code.css"), "w", encoding="utf-8") as file:
        for ground, style in CODE.items():
            colours = HtmlFormatter(style=style).get_style_defs(place)
            file.write(f"@media (prefers-color-scheme: {ground}) {{\n{place} span {{ color: inherit }}\n{colours}\n}}\n")


def setup(app):
    app.connect("source-read", complete)
    app.connect("build-finished", begin_with_the_readme)
    app.connect("build-finished", write_colours_of_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
