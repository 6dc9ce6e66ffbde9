"""Reads the server's figures with Prometheus' own library, as a scrape would."""

import math
import os

from prometheus_client.parser import text_string_to_metric_families

families = {family.name: family for family in text_string_to_metric_families(os.environ["JOURNEY_FIGURES"])}

for name, family in families.items():
    assert family.documentation, f"{name} says nothing of itself"
    assert family.type in ("counter", "gauge", "histogram"), f"{name} is a {family.type}"
    assert family.samples, f"{name} has no figures"

for family in families.values():
    if family.type != "histogram":
        continue
    series = {}
    for sample in family.samples:
        labels = tuple(sorted((name, value) for name, value in sample.labels.items() if name != "le"))
        series.setdefault(labels, []).append(sample)
    for labels, samples in series.items():
        buckets = [(float(s.labels["le"]), s.value) for s in samples if s.name.endswith("_bucket")]
        count = [s.value for s in samples if s.name.endswith("_count")]
        total = [s.value for s in samples if s.name.endswith("_sum")]
        assert len(count) == 1 and len(total) == 1, f"{family.name}{labels}"
        assert buckets == sorted(buckets), f"{family.name}{labels} is not cumulative: {buckets}"
        assert buckets[-1] == (math.inf, count[0]), f"{family.name}{labels} ends at {buckets[-1]}"


def figure(name, **labels):
    """The one figure with this name and these labels."""
    found = [
        sample.value
        for family in families.values()
        for sample in family.samples
        if sample.name == name and sample.labels == labels
    ]
    assert len(found) == 1, f"{name}{labels}: {found}"
    return found[0]


assert figure("countersign_tokens_issued_total", grant_type="device_code") == 1
assert figure("countersign_sign_ins_decided_total", decision="approved") == 1
assert figure("countersign_http_requests_total", route="/device_authorization", method="POST", status="2xx") == 1
assert figure("countersign_store_commit_changes_count") >= 3
assert figure("countersign_requests_waiting") == 0
assert figure("process_resident_memory_bytes") > 1_000_000
assert figure("process_open_fds") > 3
print(f"{len(families)} metrics are well-formed")
