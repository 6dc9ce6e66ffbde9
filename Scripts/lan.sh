#!/usr/bin/env bash
# A network of two hosts for tests and measurements, each a namespace of Linux with its own interface, joined by a switch
# in a third.
# Nothing of it can leave: there is no way out of the switch.
#
#   lan.sh up NAME            makes it: hosts a (10.78.0.1, fe80::1) and b (10.78.0.2, fe80::2)
#   lan.sh run NAME HOST COMMAND...   becomes COMMAND on a host
#   lan.sh user NAME HOST COMMAND...  the same as an ordinary user without any privilege, whom nobody else is: 65534
#   lan.sh plug NAME NUMBER   makes one more host, 10.78.0.3 and fe80::3, of the network namespace of a process
#   lan.sh avahi NAME HOST    starts Avahi on a host; returns when it is ready, knowing nothing of others yet
#   lan.sh quit NAME HOST     ends Avahi there, at once and without a word
#   lan.sh lose NAME HOST PERCENT     loses that part of what a host sends and gets
#   lan.sh unplug NAME HOST   takes the host's cable away
#   lan.sh down NAME          ends all of it
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

readonly act=$1 name=$2
shift 2
readonly switch=$name-switch state=/run/$name

# join HOST NUMBER WAY...: gives a host its interface, its addresses and a port of the switch; WAY... runs ip there.
join() {
    local host=$1 number=$2
    shift 2
    "$@" link set dev lo up
    "$@" link add name eth0 type veth peer name "port-$host" netns "$switch"
    # An address that is made up by the kernel would not be usable at once.
    "$@" link set dev eth0 addrgenmode none
    "$@" link set dev eth0 up
    "$@" address add "10.78.0.$number/24" dev eth0
    "$@" address add "fe80::$number/64" dev eth0 nodad
    ip -n "$switch" link set dev "port-$host" master bridge
    ip -n "$switch" link set dev "port-$host" up
}

up() {
    local host number=0
    mkdir -p "$state"
    ip netns add "$switch"
    ip -n "$switch" link add name bridge type bridge stp_state 0 forward_delay 0 mcast_snooping 0
    ip -n "$switch" link set dev bridge up
    for host in a b; do
        number=$((number + 1))
        ip netns add "$name-$host"
        join "$host" "$number" ip -n "$name-$host"
    done
}

plug() {
    join c 3 nsenter --target "$1" --net ip
}

run() {
    local host=$1
    shift
    exec ip netns exec "$name-$host" env DBUS_SYSTEM_BUS_ADDRESS="unix:path=$state/$host/bus" "$@"
}

user() {
    local host=$1
    shift
    run "$host" setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$@"
}

# keep HOST FILE COMMAND...: leaves a command running on a host, and its number in a file.
keep() {
    local host=$1 file=$2
    shift 2
    ip netns exec "$name-$host" env DBUS_SYSTEM_BUS_ADDRESS="unix:path=$state/$host/bus" "$@" \
        > "$state/$host/$file.log" 2>&1 < /dev/null &
    echo $! > "$state/$host/$file.pid"
}

# The bus by which Avahi's programs reach its daemon.
bus() {
    local host=$1 place=$state/$1 tries
    mkdir -p "$place/run"
    cat > "$place/bus.conf" << END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=$place/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
END
    keep "$host" bus dbus-daemon --config-file="$place/bus.conf" --nofork --nopidfile
    for ((tries = 0; tries < 100; tries++)); do
        [[ ! -S $place/bus ]] || break
        sleep 0.05
    done
}

avahi() {
    local host=$1 place=$state/$1 tries
    [[ -S $place/bus ]] || bus "$host"
    printf '[server]\nhost-name=%s\nallow-interfaces=eth0\n' "$name-$host" > "$place/avahi.conf"
    # Its files stand at fixed places, so each host has these for itself.
    mkdir -p /run/avahi-daemon
    keep "$host" avahi unshare --uts --mount sh -c \
        "mount --bind '$place/run' /run/avahi-daemon && exec avahi-daemon --file '$place/avahi.conf' --no-drop-root --no-chroot --no-rlimits"
    for ((tries = 0; tries < 200; tries++)); do
        ! grep --quiet 'Server startup complete' "$place/avahi.log" || return 0
        sleep 0.05
    done
    cat "$place/avahi.log" >&2
    return 1
}

quit() {
    local place=$state/$1
    kill -KILL "$(cat "$place/avahi.pid")"
    # What is left of it may stay for a while, but has closed everything.
    while grep --quiet '^State:.[^Z]' "/proc/$(cat "$place/avahi.pid")/status" 2> /dev/null; do
        sleep 0.01
    done
    rm -f "$place/avahi.pid" "$place/avahi.log" "$place/run/pid"
}

lose() {
    local host=$1 percent=$2
    ip netns exec "$switch" nft -f - << END
table bridge lossy {
    chain sent {
        type filter hook prerouting priority 0
        iifname "port-$host" numgen random mod 100 < $percent drop
    }
    chain got {
        type filter hook postrouting priority 0
        oifname "port-$host" numgen random mod 100 < $percent drop
    }
}
END
}

down() {
    local file host
    for file in "$state"/*/*.pid; do
        [[ ! -e $file ]] || kill "$(cat "$file")" 2> /dev/null || true
    done
    for host in a b switch; do
        ip netns pids "$name-$host" 2> /dev/null | xargs --no-run-if-empty kill -KILL 2> /dev/null || true
        ip netns delete "$name-$host" 2> /dev/null || true
    done
    rm -rf "$state"
}

case $act in
up | plug | avahi | quit | lose | down | run | user) "$act" "$@" ;;
unplug) ip -n "$switch" link set dev "port-$1" down ;;
*)
    echo "lan.sh: nothing is called '$act'" >&2
    exit 64
    ;;
esac
