#!/usr/bin/env python3
"""Writes the bill of materials of the command to standard output: sbom.py PROGRAM VERSION.

It names the packages that the build resolved, the BoringSSL inside two of them, the Swift runtime, and the libraries of the
system that the program loads, each with its version. By this list a new vulnerability is looked up.

sbom.py --self-test   the check itself

Standard: CycloneDX 1.6, JSON; package URLs (ECMA-427).
"""

import json
import re
import subprocess
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SPECIFICATION = "1.6"
BORINGSSL = "https://boringssl.googlesource.com/boringssl"


def said(*command):
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def license_of(folder):
    """The licence of a checkout, as SPDX names it; nothing where it is another than these."""
    text = "".join(path.read_text(errors="replace") for path in sorted(folder.glob("LICENSE*")))
    if "Runtime Library Exception" in text:
        return [{"expression": "Apache-2.0 WITH Swift-exception"}]
    if "Apache License" in text:
        return [{"license": {"id": "Apache-2.0"}}]
    if "Permission is hereby granted, free of charge" in text:
        return [{"license": {"id": "MIT"}}]
    return []


def component(kind, name, version, purl, **more):
    """A component, without the members that are empty."""
    parts = {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl} | more
    return {key: value for key, value in parts.items() if value}


def swift_package(package, revision):
    """A package of the graph; the purl has the place of its repository and its version."""
    address = package["url"].removesuffix(".git")
    place = re.sub(r"^https?://", "", address)
    folder = Path(package["path"])
    inside = []
    for listing in sorted(folder.glob("Sources/*BoringSSL/hash.txt")):
        commit = listing.read_text().split()[-1]
        purl = f"pkg:generic/boringssl@{commit}?vcs_url=git%2B{BORINGSSL}%40{commit}"
        inside.append(component("library", "boringssl", commit, purl) | {"bom-ref": f"{purl}#{package['identity']}"})
    source = {"type": "vcs", "url": package["url"]} | ({"comment": f"commit {revision}"} if revision else {})
    return component(
        "library",
        package["name"],
        package["version"],
        f"pkg:swift/{place}@{package['version']}",
        licenses=license_of(folder),
        externalReferences=[source],
        components=inside,
    )


def swift_packages(graph, revisions):
    """All packages below the root of the graph by identity, and the identities on which each depends."""
    found, edges, waiting = {}, {}, [graph]
    while waiting:
        package = waiting.pop()
        identity = package["identity"]
        if identity in edges:
            continue
        edges[identity] = sorted({each["identity"] for each in package["dependencies"]})
        if package is not graph:
            found[identity] = swift_package(package, revisions.get(identity))
        waiting += package["dependencies"]
    return found, edges


def system_libraries(program):
    """The Debian packages of the libraries that the program names."""
    needed = re.findall(r"NEEDED\s+(\S+)", said("objdump", "--private-headers", program))
    places = dict(re.findall(r"(\S+) => (/\S+)", said("ldd", program)))
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.MULTILINE))
    system = release["ID"]
    packages = set()
    for name in needed:
        place = places.get(name)
        for path in {place, str(Path(place).resolve())} if place else ():
            query = subprocess.run(["dpkg-query", "--search", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            packages |= {line.split(": ")[0] for line in query.stdout.splitlines()}
    found = []
    for package in sorted(packages):
        form = "${Package} ${Version} ${Architecture}"
        name, version, architecture = said("dpkg-query", "--show", f"--showformat={form}", package).split()
        purl = f"pkg:deb/{system}/{name}@{version.replace('+', '%2B')}?arch={architecture}&distro={system}-{release['VERSION_ID']}"
        found.append(component("library", name, version, purl))
    return found


def bill(version, graph, revisions, runtime, libraries):
    """The whole document. It is the same for the same parts."""
    packages, edges = swift_packages(graph, revisions)
    swift = component("framework", "swift", runtime, f"pkg:github/swiftlang/swift@swift-{runtime}-RELEASE")
    ours = component("application", "countersign", version, f"pkg:generic/countersign@{version}", licenses=license_of(ROOT))
    reference = {identity: part["bom-ref"] for identity, part in packages.items()} | {graph["identity"]: ours["bom-ref"]}
    depends = {reference[identity]: [reference[each] for each in on] for identity, on in edges.items()}
    for part in packages.values():
        depends[part["bom-ref"]] += [each["bom-ref"] for each in part.get("components", ())]
    depends[ours["bom-ref"]] += [each["bom-ref"] for each in [swift, *libraries]]
    document = {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPECIFICATION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": ours},
        "components": [*(packages[identity] for identity in sorted(packages)), swift, *libraries],
        "dependencies": [{"ref": ref, "dependsOn": sorted(on)} for ref, on in sorted(depends.items())],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return document | {"serialNumber": f"urn:uuid:{number}"}


def faults(document):
    """What a reader of the bill would miss."""
    found = [f"no {member}" for member in ("bomFormat", "specVersion", "version", "serialNumber") if not document.get(member)]
    parts = [document["metadata"]["component"], *document["components"]]
    parts += [each for part in parts for each in part.get("components", ())]
    references = [part.get("bom-ref") for part in parts]
    found += [f"{name} occurs more than once" for name in sorted(set(references)) if references.count(name) > 1]
    for part in parts:
        found += [f"{part.get('name')} has no {member}" for member in ("type", "name", "version", "purl") if not part.get(member)]
    for each in document["dependencies"]:
        found += [f"{ref} is no component" for ref in [each["ref"], *each["dependsOn"]] if ref not in references]
    return found


def self_test():
    def package(name, *dependencies):
        url = f"https://example.com/a/{name}.git"
        return {"identity": name, "name": name, "url": url, "version": "1.2.3", "path": "/none", "dependencies": list(dependencies)}

    below = package("below")
    library = component("library", "libc6", "2.36", "pkg:deb/debian/libc6@2.36")
    document = bill("0.1", package("ours", below, package("beside", below)), {"below": "abc"}, "6.3.1", [library])
    assert faults(document) == []
    assert [part["name"] for part in document["components"]] == ["below", "beside", "swift", "libc6"]
    assert document["components"][0]["purl"] == "pkg:swift/example.com/a/below@1.2.3"
    assert document["components"][0]["externalReferences"][0]["comment"] == "commit abc"
    assert {"ref": "pkg:swift/example.com/a/beside@1.2.3", "dependsOn": ["pkg:swift/example.com/a/below@1.2.3"]} in document[
        "dependencies"
    ]
    assert document == bill("0.1", package("ours", below, package("beside", below)), {"below": "abc"}, "6.3.1", [library])
    document["components"].pop(0)
    assert "pkg:swift/example.com/a/below@1.2.3 is no component" in faults(document)
    document["components"][0]["version"] = ""
    assert "beside has no version" in faults(document)


def main(program, version):
    graph = json.loads(said("swift", "package", "show-dependencies", "--format", "json"))
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    revisions = {pin["identity"]: pin["state"]["revision"] for pin in pins}
    runtime = re.search(r"Swift version (\S+)", said("swift", "--version")).group(1)
    document = bill(version, graph, revisions, runtime, system_libraries(program))
    found = faults(document)
    for fault in found:
        print(fault, file=sys.stderr)
    print(json.dumps(document, indent=2))
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    sys.exit(main(*sys.argv[1:]))
