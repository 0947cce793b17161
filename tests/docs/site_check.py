"""What is wrong with the pages of a site: links that lead nowhere, and what comes from elsewhere."""

import html.parser
import os
import re
import urllib.parse

# Attributes by which a page loads something, and not only links to it.
LOADS = {"src", "srcset", "data", "poster"}
LOADING_LINKS = {"stylesheet", "icon", "shortcut", "preload", "modulepreload", "prefetch", "manifest", "search"}
IN_STYLES = re.compile(r"(?:url\(|@import\s)\s*[\"']?([^\"')\s;]+)")
# What asks for another address from within a script; the addresses in comments and licences do not.
IN_SCRIPTS = re.compile(r"(?:import\s*\(?|fetch\(|importScripts\()\s*[\"']((?:https?:)?//[^\"']+)")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()
        self.has_viewport = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.update(attributes[key] for key in ("id", "name") if attributes.get(key))
        self.has_viewport |= tag == "meta" and attributes.get("name") == "viewport"
        self.loads += [attributes[key] for key in LOADS if attributes.get(key) and tag != "meta"]
        if tag == "link" and set(attributes.get("rel", "").split()) & LOADING_LINKS:
            self.loads.append(attributes.get("href", ""))
        elif attributes.get("href"):
            self.links.append(attributes["href"])


def files_of(folder, *endings):
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(endings))


def read(file):
    with open(file, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def is_elsewhere(address):
    return bool(re.match(r"(?:https?:)?//", address))


def problems(folder):
    """Texts, one for each dead link, dead anchor, page without a viewport, and thing of the network."""
    folder = os.path.abspath(folder)
    pages = {file: Page(read(file)) for file in files_of(folder, ".html")}
    found = []
    for file, page in pages.items():
        name = os.path.relpath(file, folder)
        if not page.has_viewport:
            found.append(f"{name}: does not fit a phone, as it has no viewport")
        found += [f"{name}: loads {address} from the network" for address in page.loads if is_elsewhere(address)]
        found += [f"{name}: {what}" for address in page.links + page.loads
                  if (what := dead(address, file, folder, pages))]
    for file in files_of(folder, ".css"):
        found += [f"{os.path.relpath(file, folder)}: {what}" for address in IN_STYLES.findall(read(file))
                  if (what := "loads " + address if is_elsewhere(address) else dead(address, file, folder, pages))]
    for file in files_of(folder, ".js"):
        found += [f"{os.path.relpath(file, folder)}: loads {address}" for address in IN_SCRIPTS.findall(read(file))]
    return found


def dead(address, file, folder, pages):
    """Why an address on a page leads nowhere; addresses elsewhere are taken to be right."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    if parts.path.startswith("/"):
        return f"{address} is outside of the site"
    target = os.path.normpath(os.path.join(os.path.dirname(file), urllib.parse.unquote(parts.path))) if parts.path else file
    if not os.path.exists(target) or os.path.commonpath([target, folder]) != folder:
        return f"there is no {address}"
    fragment = urllib.parse.unquote(parts.fragment)
    if fragment and target in pages and fragment not in pages[target].names:
        return f"there is no place {address}"
    return ""
