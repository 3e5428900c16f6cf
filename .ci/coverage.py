#!/usr/bin/env python3
"""Prints how many lines of each module the tests run, from SwiftPM's report.

usage: coverage.py REPORT.json [MODULE=PERCENT …]     a module below its percentage fails; Core is SpeechlyCore
"""
import json
import sys


def main():
    report = json.load(open(sys.argv[1]))
    wanted = dict(argument.split("=") for argument in sys.argv[2:])
    modules = {}
    for file in report["data"][0]["files"]:
        if "/Sources/" not in file["filename"]:
            continue
        module = file["filename"].split("/Sources/")[1].split("/")[0]
        lines = file["summary"]["lines"]
        total = modules.setdefault(module, [0, 0])
        total[0] += lines["covered"]
        total[1] += lines["count"]
    failed = False
    for module, (covered, count) in sorted(modules.items()):
        percent = 100 * covered / count if count else 100.0
        minimum = float(wanted.get(module, wanted.get(module.removeprefix("Speechly"), 0)))
        note = f", {minimum:.0f} % are needed" if percent < minimum else ""
        failed |= percent < minimum
        print(f"{module:16} {covered:6} of {count:6} lines  {percent:5.1f} %{note}")
    sys.exit(1 if failed else 0)


main()
