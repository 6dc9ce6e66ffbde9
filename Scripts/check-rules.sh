#!/usr/bin/env bash
# The project's rules that neither the compiler nor the formatter checks.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly clock_and_chance=Scripts/clock-and-chance.allowed
readonly apps=(
    Sources/Countersign Sources/CountersignWire Sources/CountersignTransport Sources/CountersignRequester
    Sources/CountersignApprover Sources/CountersignNearby Sources/MulticastDNS
)
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# code PATTERN PATH...: the lines of Swift that match, as PATH:LINE:TEXT; lines of comment are left out.
code() {
    local pattern=$1
    shift
    { grep --recursive --line-number --with-filename --include='*.swift' --perl-regexp -e "$pattern" -- "$@" || true; } |
        { grep --invert-match --extended-regexp '^[^:]+:[0-9]+:[[:space:]]*//' || true; }
}

# complain WHY: every line of the input breaks the rule.
complain() {
    local breach
    while IFS= read -r breach; do
        printf '%s\n    rule: %s\n' "$breach" "$1" >> "$found"
    done
}

unless_allowed() {
    local breach
    while IFS= read -r breach; do
        # Compared as text: a path may hold a plus or a dot.
        awk -v path="${breach%%:*}" '$1 == path { listed = 1 } END { exit !listed }' "$clock_and_chance" ||
            printf '%s\n' "$breach"
    done
}

# C libraries imported where a build for another platform would see it.
bare_platform_imports() {
    find "$@" -name '*.swift' -exec awk '
        FNR == 1 { depth = 0 }
        /^[[:space:]]*#if/ { depth++ }
        /^[[:space:]]*#endif/ { depth-- }
        depth == 0 && /^[^\/]*import[[:space:]]+(Glibc|Musl)/ { print FILENAME ":" FNR ":" $0 }
    ' {} +
}

# `any AsyncSequence<Element, Failure>`: needs newer systems than the apps may ask for.
typed_failure_sequences() {
    find "$@" -name '*.swift' -exec perl -0777 -ne '
        s#//[^\n]*##g;
        while (/\b(?:any|some)\s+AsyncSequence\s*<(?:[^<>,()\[\]]|(?<part><(?:[^<>]|(?&part))*>)|\([^()]*\)|\[[^\[\]]*\])*,/g) {
            printf "%s:%d:AsyncSequence with a failure\n", $ARGV, 1 + (substr($_, 0, $-[0]) =~ tr/\n//);
        }
    ' {} +
}

# A test that returns where it could not go on passes without having looked at anything.
tests_that_leave() {
    find "$@" -name '*.swift' -exec perl -0777 -ne '
        while (/^( *)\@Test\b.*?^\1\}$/msg) {
            my ($test, $start) = ($&, $-[0]);
            while ($test =~ /\belse\s*\{\s*return\s*\}/g) {
                my $line = 1 + (substr($_, 0, $start + $-[0]) =~ tr/\n//);
                print "$ARGV:$line:else { return }\n";
            }
        }
    ' {} +
}

long_files() {
    find "$@" -name '*.swift' -exec awk 'FNR == 501 { print FILENAME ": has more than 500 lines" }' {} +
}

paths() {
    find . \( -name .git -o -name '.build*' -o -name .swiftpm \) -prune -o -print
}

twins_by_case() {
    paths | awk '{ key = tolower($0); if (key in seen) print seen[key] " and " $0; seen[key] = $0 }'
}

names_that_say_nothing() {
    paths | grep --extended-regexp \
        '^\./(Sources|Tests)/(.*/)?(Utils?|Utilities|Helpers?|Managers?|Common|New|Deprecated|Protocols|Models)(\.swift)?$' || true
}

entries_of_the_list_that_are_wrong() {
    local path reason
    while read -r path reason; do
        [[ -n $path && $path != \#* ]] || continue
        [[ -e $path ]] || printf '%s: %s does not exist\n' "$clock_and_chance" "$path"
        [[ -n $reason ]] || printf '%s: %s has no reason\n' "$clock_and_chance" "$path"
    done < "$clock_and_chance"
}

code '\bimport\s+Synchronization\b' "${apps[@]}" |
    complain 'apps run on systems without Synchronization: an actor or NIOLockedValueBox holds state'
typed_failure_sequences "${apps[@]}" |
    complain 'apps run on systems without it: return a sequence type of our own'
bare_platform_imports "${apps[@]}" |
    complain 'in a library for apps, Glibc and Musl stand inside #if'
code '\bFoundationNetworking\b' Sources Tests |
    complain 'no FoundationNetworking: it breaks static linking'

code '\bDate\(\)|\bUUID\(\)|\.(random|randomElement|shuffled|shuffle)\(' Sources | unless_allowed |
    complain "time and chance are handed in; places that wire the program stand in $clock_and_chance"
code '\b(Date|\w*Clock(\(\))?|Instant|DispatchTime|NIODeadline)\.now\b|(^|[(:=,?\s])\.now\b' Sources | unless_allowed |
    complain "time and chance are handed in; places that wire the program stand in $clock_and_chance"
entries_of_the_list_that_are_wrong |
    complain 'the list names files that exist, each with its reason'

code '\bGrant\(|\.record\(\.(approve|deny)\b' Sources/CountersignServer |
    { grep --invert-match '^Sources/CountersignServer/SignIn/Approval' || true; } |
    complain 'a request is decided by ApprovalService alone, which asks policy and writes the audit'

code '^\s*\.(approved|denied|reported),\s*$|\bat: \w+, \.(approved|denied|reported)\b' Sources/CountersignServer |
    { grep --invert-match '^Sources/CountersignServer/SignIn/Approval' || true; } |
    complain 'a decision is audited by ApprovalService alone, which makes it'

code '\bexchange\.(cancel|takeBack|withdraw)\(' Sources/CountersignServer |
    { grep --invert-match --extended-regexp '^Sources/CountersignServer/(SignIn/Approval|Core/Approvals\.swift:|Tokens/Revocation)' || true; } |
    complain 'an approval is taken back by ApprovalService or Approvals, or by the person or operator in Revocation'

code '\bcontains\(\.deliberate\)' Sources/CountersignServer |
    { grep --invert-match '^Sources/CountersignServer/SignIn/ApprovalDelay\.swift:' || true; } |
    complain 'pages and ApprovalService ask ApprovalDelay, which alone looks at the demand'

code '\bexchanges\.insert\(' Sources/CountersignServer |
    { grep --invert-match --extended-regexp '^Sources/CountersignServer/SignIn/(Approval|SignInStart)' || true; } |
    complain 'a request is started by SignInStartService alone, which asks policy, counts, and says who is asked'

code '\bstanding(\(of: \w+\))?\s*[!=]=\s*\.(active|locked|absent)\b' Sources/CountersignServer |
    complain 'whether a person may sign in and act is asked by Person.isActive, or by policy'

code '\bRefreshTokens\([^()]*\)\.find\(|\brefreshTokens\.find\(' Sources/CountersignServer |
    { grep --invert-match --extended-regexp \
        '^Sources/CountersignServer/Tokens/(VerifiedRefreshTokenFamily|RevocationEndpoint)\.swift:' || true; } |
    complain 'whether a refresh token is good is asked by VerifiedRefreshTokenFamily alone'

code '^\s*(\w+ )*extension (\w+\.)?Repositories\b' Sources Tests Benchmarks Fuzz Examples |
    { grep --invert-match '^Sources/CountersignStorage/' || true; } |
    complain 'outside the storage nothing extends Repositories: a type over them that is named for its noun has the method'

code '\bStatus\(code:|\bstatus: \.init\(code:' Sources/CountersignTransport |
    { grep --invert-match '^Sources/CountersignTransport/HTTPResponse+Received\.swift:' || true; } |
    complain 'the status of an answer is made by HTTPResponse(received:) alone, which checks the number'
code '\bDate\(timeIntervalSince1970: (Double|TimeInterval)\([\w.$]+\)\)' "${apps[@]}" Sources/Countersign{HTTP,Server} |
    { grep --invert-match --extended-regexp '/(HTTPDate|ServerCertificate|AuditSealKey)\.swift:' || true; } |
    complain 'an instant that another party names is read by Date(named:), which bounds it'
code '\bJSONDecoder\(\)\.decode\(.*\banswer\.body\b' Sources |
    complain 'an answer of another server is read by ForeignMessage, or by HTTPAnswer.decoded'
code '@unchecked\s+Sendable' Sources | complain 'no @unchecked Sendable'
code '\btry!|\bas!|\bfatalError\(' Sources | complain 'what can fail throws; nothing is forced'
code '\b(TODO|FIXME)\b' Sources | complain 'what is left to do is an issue, not a comment'
{ grep --recursive --line-number --extended-regexp '//.*\b(TODO|FIXME)\b' --include='*.swift' Sources || true; } |
    complain 'what is left to do is an issue, not a comment'

tests_that_leave Tests |
    complain 'a test that cannot go on fails: try #require, or Issue.record'
code '\bguard\b.*\btry\?.*\belse\s*\{\s*return\s*\}' Tests |
    complain 'a helper of a test that cannot go on fails, too: try #require, or Issue.record'
long_files Sources Tests Package.swift | complain 'a file is read in one sitting: 500 lines at most'
twins_by_case | complain 'no two paths differ only by case: some systems would merge them'
names_that_say_nothing | complain 'a name says what is inside'

if [[ -s $found ]]; then
    cat "$found" >&2
    printf '\nRules broken: %d.\n' "$(grep --count '^    rule: ' "$found")" >&2
    exit 1
fi
echo 'The rules hold.'
