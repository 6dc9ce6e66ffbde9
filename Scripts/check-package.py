#!/usr/bin/env python3
"""Checks what an app gets that uses our libraries, by what the package manager knows after a build; without a network.

- An app in a folder of its own, which depends on this one, resolves with every library that is a product.
- Without the package traits it resolves no more than MOST packages, whichever library it uses.
- The libraries for apps name products of the packages in NAMED alone, and link no more than MOST_LINKED in all.
- Each product is the target of its name, and each `.product(name: …, package: "countersign")` in the documentation is one.
- No library has unsafe flags, which a dependency of another package must not have.

Whether such an app is built and runs, and by the address of a repository too, is what `make consumer` shows.

check-package.py              after a build
check-package.py --self-test  the check itself
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The most packages that an app resolves with ours, and ours.
MOST = 12
# The libraries for apps; those for servers may have more.
LIBRARIES = [
    "Countersign",
    "CountersignWire",
    "CountersignTransport",
    "CountersignRequester",
    "CountersignApprover",
    "CountersignNearby",
    "MulticastDNS",
]
# The packages whose products these libraries name.
NAMED = {"async-http-client", "swift-crypto", "swift-http-types", "swift-nio", "swift-nio-http2", "swift-nio-ssl"}
# The most packages that are linked into an app that uses all of them, ours among them.
MOST_LINKED = 10


def manifest(folder):
    """A package's manifest, as the package manager reads it."""
    with tempfile.TemporaryDirectory() as scratch:
        command = ["swift", "package", "--package-path", str(folder), "--scratch-path", scratch, "dump-package"]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def packages_of_consumer(libraries):
    """The identities of all packages that an app resolves with these libraries and no package trait, ours among them.

    It has the checkouts of our build, so that nothing is fetched.
    """
    build = ROOT / ".build"
    with tempfile.TemporaryDirectory(dir=build, prefix="consumer-") as folder:
        app = Path(folder)
        products = ", ".join(f'.product(name: "{name}", package: "countersign")' for name in libraries)
        (app / "Sources/Consumer").mkdir(parents=True)
        (app / "Sources/Consumer/main.swift").write_text("")
        (app / "Package.swift").write_text(
            f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "countersign", path: "{ROOT}", traits: [])],
    targets: [.executableTarget(name: "Consumer", dependencies: [{products}])]
)
"""
        )
        (app / ".build").mkdir()
        # Links to the same files: what the package manager removes, as no app resolves it, is still in our build.
        for part in ("checkouts", "repositories"):
            shutil.copytree(build / part, app / ".build" / part, copy_function=os.link, symlinks=True)
        shutil.copy(build / "workspace-state.json", app / ".build")
        shutil.copy(ROOT / "Package.resolved", app)
        command = ["swift", "package", "--package-path", folder, "--disable-automatic-resolution"]
        command += ["show-dependencies", "--format", "flatlist"]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        return set(output.split())


def condition(parts):
    """Whether a dependency's condition holds for an app on Linux without package traits."""
    found = next((part for part in parts if isinstance(part, dict)), None)
    if not found:
        return True
    platforms = found.get("platformNames") or ["linux"]
    return "linux" in platforms and not found.get("traits")


class Graph:
    """The targets of a package and of those that it depends on, as far as they were asked for."""

    def __init__(self, identity, load):
        """`load` returns the manifest of a package by its identity."""
        self.root, self.load, self.manifests, self.linked = identity, load, {}, set()

    def manifest(self, identity):
        if identity not in self.manifests:
            self.manifests[identity] = self.load(identity)
        return self.manifests[identity]

    def packages(self, targets):
        """The identities of all packages with a target that is linked into `targets`."""
        for target in targets:
            self.visit(self.root, target)
        return {identity for identity, _ in self.linked}

    def visit(self, identity, target):
        if (identity, target) in self.linked:
            return
        known = {each["name"]: each for each in self.manifest(identity)["targets"]}
        self.linked.add((identity, target))
        for dependency in known[target]["dependencies"]:
            ((kind, parts),) = dependency.items()
            if not condition(parts):
                continue
            if kind == "product":
                self.visit_product(parts[1].lower(), parts[0])
            elif parts[0] in known:
                if known[parts[0]]["type"] not in ("plugin", "macro"):
                    self.visit(identity, parts[0])
            else:
                # By name alone: the product of a package that has the same name, or of the only one that has it.
                self.visit_product(parts[0].lower(), parts[0])

    def visit_product(self, identity, name):
        for product in self.manifest(identity)["products"]:
            if product["name"] == name:
                for target in product["targets"]:
                    self.visit(identity, target)


def named_packages(ours, libraries):
    """The packages whose products the libraries name, ours among one another followed."""
    known = {target["name"]: target for target in ours["targets"]}
    waiting, seen, named = list(libraries), set(), set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in known:
            continue
        seen.add(name)
        for dependency in known[name]["dependencies"]:
            ((kind, parts),) = dependency.items()
            if kind == "product":
                named.add(parts[1].lower())
            else:
                waiting.append(parts[0])
    return named


def faults_of_products(ours, documents):
    """What is wrong with our products, and with their names in the documentation."""
    targets = {target["name"]: target for target in ours["targets"]}
    libraries = {product["name"]: product["targets"] for product in ours["products"] if "library" in product["type"]}
    faults = [f"the product {name} is not the target of its name" for name, of in libraries.items() if of != [name]]
    faults += [f"there is no product {name}" for name in LIBRARIES if name not in libraries]
    for name in libraries:
        settings = targets.get(name, {}).get("settings", [])
        if any("unsafeFlags" in setting["kind"] for setting in settings):
            faults.append(f"{name} has unsafe flags, so that no other package can depend on it")
    for path, text in documents.items():
        for name in re.findall(r'\.product\(name: "(\w+)", package: "countersign"\)', text):
            if name not in libraries:
                faults.append(f"{path} names the product {name}, which does not exist")
    return faults


def check():
    state = json.loads((ROOT / ".build/workspace-state.json").read_text())["object"]["dependencies"]
    checkouts = {entry["packageRef"]["identity"]: ROOT / ".build/checkouts" / entry["subpath"] for entry in state}
    ours = manifest(ROOT)
    pages = [ROOT / "README.md", *(ROOT / "Documentation").rglob("*.md"), *ROOT.glob("Examples/**/*.md")]
    faults = faults_of_products(ours, {page.relative_to(ROOT): page.read_text() for page in pages})
    libraries = [product["name"] for product in ours["products"] if "library" in product["type"]]
    resolved = packages_of_consumer(libraries)
    if not 5 < len(resolved) <= MOST:
        faults.append(f"an app resolves {len(resolved)} packages with ours; {MOST} are the most")
    unexpected = named_packages(ours, LIBRARIES) - NAMED
    if unexpected:
        faults.append(f"the libraries for apps name products of other packages: {', '.join(sorted(unexpected))}")
    load = {"countersign": ours}
    graph = Graph("countersign", lambda identity: load.get(identity) or manifest(checkouts[identity]))
    linked = graph.packages(LIBRARIES)
    if len(linked) > MOST_LINKED:
        faults.append(f"an app links {len(linked)} packages; {MOST_LINKED} are the most: {', '.join(sorted(linked))}")
    for fault in faults:
        print(fault)
    if not faults:
        print(f"An app resolves {len(resolved)} packages, and links {len(linked)} at most.")
    return not faults


def self_test():
    def target(name, *dependencies, settings=()):
        return {"name": name, "type": "regular", "dependencies": list(dependencies), "settings": list(settings)}

    def library(name, *targets):
        return {"name": name, "targets": list(targets or [name]), "type": {"library": ["automatic"]}}

    ours = {
        "targets": [
            target("App", {"byName": ["Core", None]}, {"product": ["One", "one", None, None]}),
            target("Core", {"product": ["Mac", "mac", None, {"platformNames": ["macos"]}]}),
            target("Server", {"product": ["Two", "two", None, None]}),
            target("Extra", {"target": ["Server", {"platformNames": ["linux"], "traits": ["Extra"]}]}),
        ],
        "products": [library("App"), library("Core"), library("Server", "Core")],
    }
    one = {"targets": [target("A", {"byName": ["three", None]}), target("B")], "products": [library("One", "A")]}
    three = {"targets": [target("three")], "products": [library("three")]}
    others = {"ours": ours, "one": one, "three": three}
    assert Graph("ours", others.__getitem__).packages(["App"]) == {"ours", "one", "three"}
    assert Graph("ours", others.__getitem__).packages(["Extra"]) == {"ours"}
    assert named_packages(ours, ["App"]) == {"one", "mac"}
    assert named_packages(ours, ["Server"]) == {"two"}
    page = '.product(name: "App", package: "countersign"), .product(name: "Gone", package: "countersign")'
    faults = faults_of_products(ours, {"page.md": page})
    assert "the product Server is not the target of its name" in faults
    assert "page.md names the product Gone, which does not exist" in faults
    assert not any("the product App," in fault for fault in faults)
    flags = {"targets": [target("App", settings=[{"kind": {"unsafeFlags": {}}}])], "products": [library("App")]}
    assert any("unsafe flags" in fault for fault in faults_of_products(flags, {}))


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    sys.exit(0 if check() else 1)
