#!/usr/bin/env bash
# What stands in Deployment, as far as the programs that can judge it are at hand.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly hadolint=.build/venv/bin/hadolint
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every key of the settings is one that the command knows.
while IFS= read -r key; do
    grep --quiet --recursive "\"$key\"" Sources/Command/Settings ||
        fail "Deployment/config.json has a key that the command does not know: $key"
done < <(grep --only-matching --perl-regexp '(?<=")[a-z-]+(?="\s*:)' Deployment/config.json)

# Every variable of the server in the compose file is one of these settings, too, and its services are complete.
python=.build/venv/bin/python
[[ -x $python ]] || python=python3
if "$python" -c 'import yaml' 2> /dev/null; then
    "$python" - << 'END' > "$work/variables" || fail 'Deployment/compose.yaml is not as Compose expects it.'
import yaml

with open("Deployment/compose.yaml", encoding="utf-8") as file:
    project = yaml.safe_load(file)
assert project.keys() == {"services", "networks", "volumes"}, project.keys()
for name, service in project["services"].items():
    assert ("image" in service) != ("build" in service), f"{name} needs an image or a build"
    networks = service["networks"]
    assert set(networks) <= project["networks"].keys(), f"{name} is in an unknown network"
    assert set(service.get("depends_on", [])) <= project["services"].keys(), f"{name} depends on an unknown service"
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        assert source.startswith("./") or source in project["volumes"], f"{name} mounts an unknown volume"
trusted = project["services"]["server"]["environment"]["COUNTERSIGN_TRUSTED_PROXIES"]
assert trusted == project["services"]["proxy"]["networks"]["inside"]["ipv4_address"], "another proxy is trusted"
print(*project["services"]["server"]["environment"], sep="\n")
END
    while IFS= read -r variable; do
        key=${variable#COUNTERSIGN_}
        key=${key,,}
        grep --quiet --recursive "\"${key//_/-}\"" Sources/Command/Settings ||
            fail "Deployment/compose.yaml has a variable that the command does not know: $variable"
    done < "$work/variables"
fi

# The settings that the PAM module brings ask for nobody, so that installing it locks nobody out.
python3 -c 'import json; assert json.load(open("PAM/pam.json"))["services"] == {}' ||
    fail 'PAM/pam.json has rules for services.'

if command -v caddy > /dev/null; then
    for file in Deployment/Caddyfile Deployment/gate/Caddyfile; do
        caddy validate --adapter caddyfile --config "$file" > "$work/caddy" 2>&1 ||
            fail "Caddy does not understand $file: $(tail -1 "$work/caddy")"
    done
fi

if command -v systemd-analyze > /dev/null; then
    for unit in countersign countersign-gate; do
        # The command itself is not installed here.
        sed 's#/usr/local/bin/countersign#/bin/true#' "Deployment/$unit.service" > "$work/$unit.service"
        systemd-analyze verify "$work/$unit.service" || fail "systemd does not understand Deployment/$unit.service."
    done
fi

if [[ -x $hadolint ]]; then
    "$hadolint" Deployment/Containerfile || fail 'hadolint complains of Deployment/Containerfile.'
fi
