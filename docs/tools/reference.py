#!/usr/bin/env python3
"""Writes docs/reference from the symbol graphs of the built modules.

usage: reference.py PRODUCTS OUTPUT   (PRODUCTS is where `swift build` put the modules, such as .build/debug)
"""
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODULES = {
    "Speechly": "What an app imports: the client, its parts and their protocols. Exports the four modules below.",
    "SpeechlyCore": "Segments, words, entities and intents, and the rules by which messages change them.",
    "SpeechlyAudio": "Audio sources: the microphone, files, and what the host pushes; resampling.",
    "SpeechlyGRPC": "Addresses, channels, calls and servers over libgrpc.",
    "SpeechlyProto": "The messages of the Speechly API and their wire format.",
    "SpeechlyService": "The service: SAL, recogniser, Identity, SLU and WLU.",
    "SpeechlyTesting": "A scriptable server for tests.",
}
# The order in which a type's members are listed.
KINDS = [
    "Protocol", "Class", "Structure", "Enumeration", "Type Alias", "Associated Type", "Case", "Initializer",
    "Type Property", "Instance Property", "Global Variable", "Type Subscript", "Instance Subscript", "Type Method",
    "Instance Method", "Function", "Operator", "Macro",
]
TYPES = {"Protocol", "Class", "Structure", "Enumeration"}


def extract(module, products, folder):
    command = [
        "swift", "symbolgraph-extract", "-module-name", module, "-I", str(products / "Modules"),
        "-target", f"{platform.machine()}-unknown-linux-gnu", "-output-dir", str(folder),
        "-minimum-access-level", "public", "-skip-synthesized-members",
    ]
    for source in sorted((ROOT / "Sources").iterdir()):
        maps = [
            source / "module.modulemap", source / "include" / "module.modulemap",
            products / f"{source.name}.build" / "module.modulemap",
        ]
        for path in [path for path in maps if path.exists()][:1]:
            command += ["-Xcc", f"-fmodule-map-file={path}"]
    flags = subprocess.run(["pkg-config", "--cflags-only-I", "pocketsphinx"], capture_output=True, text=True, check=True)
    for flag in flags.stdout.split():
        command += ["-Xcc", flag]
    subprocess.run(command, check=True)
    symbols, relations = [], []
    # Extensions of other modules' types are in files of their own: Module@Other.symbols.json.
    for path in sorted(folder.glob(f"{module}.symbols.json")) + sorted(folder.glob(f"{module}@*.symbols.json")):
        graph = json.loads(path.read_text())
        symbols += graph["symbols"]
        relations += graph["relationships"]
    return symbols, relations


def comment(symbol):
    text = symbol.get("docComment", {})
    # The compiler repeats the standard library's comments on what it makes by itself.
    if text.get("module") not in MODULES:
        return ""
    return "\n".join(line["text"] for line in text.get("lines", []))


def declaration(symbol):
    return "".join(fragment["spelling"] for fragment in symbol.get("declarationFragments", []))


def documentation(text):
    """A doc comment as Markdown: symbol links become code, parameters a list."""
    text = re.sub(r"(?<!`)``([^`\n]+)``(?!`)", lambda match: "`" + match.group(1).replace("/", ".") + "`", text)
    return text.strip()


def anchor(symbol):
    return ".".join(symbol["pathComponents"])


def order(symbol):
    kind = symbol["kind"]["displayName"]
    location = symbol.get("location", {})
    line = location.get("position", {}).get("line", 0)
    return (KINDS.index(kind) if kind in KINDS else len(KINDS), location.get("uri", "").split("/")[-1], line,
            symbol["names"]["title"], symbol["identifier"]["precise"])


def write_symbol(symbol, level, out):
    out.append(f"{'#' * level} {symbol['names']['title'] if level > 2 else anchor(symbol)}\n")
    out.append(f"```swift declaration\n{declaration(symbol)}\n```\n")
    text = documentation(comment(symbol))
    if text:
        out.append(text + "\n")


def page(module, symbols, relations):
    # What the compiler makes (hashing, comparing) is said by the conformances.
    symbols = [symbol for symbol in symbols if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]]
    conformances = {}
    for relation in relations:
        if relation["kind"] == "conformsTo":
            name = relation.get("targetFallback", relation["target"]).split(".")[-1]
            conformances.setdefault(relation["source"], set()).add(name)
    out = [f"# {module}\n", f"{MODULES[module]}\n"]
    parents = {}
    for symbol in symbols:
        parents.setdefault(tuple(symbol["pathComponents"][:-1]), []).append(symbol)
    types = [symbol for symbol in symbols if symbol["kind"]["displayName"] in TYPES]
    free = [
        symbol for symbol in parents.get((), []) if symbol["kind"]["displayName"] not in TYPES
        and symbol["kind"]["displayName"] != "Extension"
    ]
    for symbol in sorted(types, key=lambda symbol: symbol["pathComponents"]):
        write_symbol(symbol, 2, out)
        names = sorted(
            name for name in conformances.get(symbol["identifier"]["precise"], set())
            if not name.startswith("s:") and name not in {"Copyable", "Escapable", "SendableMetatype"})
        if names:
            out.append("Conforms to " + ", ".join(f"`{name}`" for name in names) + ".\n")
        for member in sorted(parents.get(tuple(symbol["pathComponents"]), []), key=order):
            if member["kind"]["displayName"] not in TYPES and comment(member):
                write_symbol(member, 3, out)
    own = {tuple(symbol["pathComponents"]) for symbol in types}
    extended = sorted(path for path in parents if path and path not in own)
    for path in extended:
        members = [member for member in parents[path] if member["kind"]["displayName"] not in TYPES and comment(member)]
        if members:
            out.append(f"## Extension of {'.'.join(path)}\n")
            for member in sorted(members, key=order):
                write_symbol(member, 3, out)
    if free:
        out.append("## Functions and others\n")
        for symbol in sorted(free, key=order):
            write_symbol(symbol, 3, out)
    return "\n".join(out)


def main(products, output):
    products, output = pathlib.Path(products).resolve(), pathlib.Path(output)
    output.mkdir(parents=True, exist_ok=True)
    index = ["# Reference\n", "Made by `make docs` from the sources; do not edit.\n", "| module | what |", "|---|---|"]
    for module, summary in MODULES.items():
        with tempfile.TemporaryDirectory() as folder:
            symbols, relations = extract(module, products, pathlib.Path(folder))
        (output / f"{module}.md").write_text(page(module, symbols, relations), encoding="utf-8")
        index.append(f"| [{module}]({module}.md) | {summary} |")
    (output / "README.md").write_text("\n".join(index) + "\n", encoding="utf-8")
    print(f"docs: wrote {len(MODULES) + 1} pages to {output}")


if __name__ == "__main__":
    main(*sys.argv[1:])
