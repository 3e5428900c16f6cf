#!/usr/bin/env python3
"""Compares what README shows of a command with a log of what the command printed.

usage: check_transcript.py DOCUMENT COMMAND LOG

A line of a single ellipsis in the document stands for any lines, an ellipsis within a line for any text.
"""
import re
import sys


def shown(document, command):
    text = open(document, encoding="utf-8").read()
    match = re.search(r"^```console\n\$ " + re.escape(command) + r"\n(.*?)^```", text, re.M | re.S)
    if not match:
        sys.exit(f"{document} does not show '{command}'")
    return match.group(1).splitlines()


def expression(line):
    return re.compile(".*".join(re.escape(part) for part in line.strip().split("…")))


def main(document, command, log):
    printed = [line.strip() for line in open(log, encoding="utf-8", errors="replace")]
    position, gap = 0, False
    for line in shown(document, command):
        if line.strip() == "…":
            gap = True
            continue
        # After a gap the first line that fits is the one that is meant.
        candidates = range(position, len(printed) if gap else min(position + 1, len(printed)))
        found = next((i for i in candidates if expression(line).fullmatch(printed[i])), None)
        if found is None:
            sys.exit(f"{document} shows '{line.strip()}' for '{command}', which was not printed there")
        position, gap = found + 1, False
    if not gap and position != len(printed):
        sys.exit(f"{document} ends before '{command}' does: {printed[position]}")
    print(f"{document} shows what '{command}' prints")


if __name__ == "__main__":
    main(*sys.argv[1:])
