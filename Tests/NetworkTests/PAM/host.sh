#!/usr/bin/env bash
# host.sh FOLDER MODULE COMMAND PORT NETWORK: a host with OpenSSH, sudo and su, which ask by the PAM module, in namespaces
# of its own, until it is ended. Nothing outside of them changes. login asks, too, and pamtester plays the services door,
# gate, attic and locker.
#
# COMMAND is started for the module, with FOLDER/pam.json as its configuration. PORT of the loopback in NETWORK, a file
# such as /proc/1/ns/net, is lent to the host. The users anna and ben have the password `local`; anna may use sudo.
#
# Says 'ready' with the number of a process: nsenter --target NUMBER --mount --net --pid goes there.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

if [[ $1 != --inside ]]; then
    exec 9< "$5"
    exec unshare --mount --net --pid --fork --kill-child --propagation private "$0" --inside "$@"
fi
shift
readonly folder=$1 module=$2 command=$3 port=$4
here=$(dirname "$(readlink --canonicalize "$0")")
readonly here

# Seen from outside, until this host has a view of its own.
read -r number _ < /proc/self/stat
mount -t proc proc /proc
mount -t tmpfs -o mode=755 none /run
mount -t tmpfs -o mode=755 none /var/log
mkdir /run/host /run/sshd
chmod 755 /run/host
ip link set dev lo up

cat > /run/host/command << COMMAND
#!/bin/sh
exec '$command' "\$@" --config '$folder/pam.json'
COMMAND
chmod 755 /run/host/command

cp --recursive /etc/pam.d /run/host/pam.d
for service in sshd sudo sudo-i su su-l login door gate attic locker; do
    cat > "/run/host/pam.d/$service" << STACK
auth [success=done authinfo_unavail=ignore user_unknown=ignore default=die] $module command=/run/host/command timeout=60
auth required pam_unix.so
account required pam_permit.so
session optional $module command=/run/host/command
session required pam_permit.so
STACK
done
mount --bind /run/host/pam.d /etc/pam.d

secret=$(openssl passwd -6 local)
cp --preserve=mode,ownership /etc/{passwd,group,shadow} /run/host
users=(anna ben)
for index in "${!users[@]}"; do
    user=${users[index]} id=$((3001 + index))
    echo "$user:x:$id:$id::/run/host:/bin/sh" >> /run/host/passwd
    echo "$user:x:$id:" >> /run/host/group
    echo "$user:$secret:19000::::::" >> /run/host/shadow
done
for file in passwd group shadow; do mount --bind "/run/host/$file" "/etc/$file"; done
printf 'Defaults lecture=never, timestamp_timeout=0, passwd_tries=1, !fqdn\nroot ALL=(ALL) ALL\nanna ALL=(ALL) ALL\n' \
    > /run/host/sudoers
chmod 440 /run/host/sudoers
mount --bind /run/host/sudoers /etc/sudoers

ssh-keygen -q -t ed25519 -N '' -f /run/host/key
cat > /run/host/sshd_config << SSHD
Port 22
ListenAddress 127.0.0.1
HostKey /run/host/key
UsePAM yes
KbdInteractiveAuthentication yes
PasswordAuthentication no
PubkeyAuthentication no
UseDNS no
SSHD
"${COUNTERSIGN_TEST_PYTHON:-python3}" -u "$here/../Peers/forward.py" "$port" /proc/self/fd/9 > /run/host/forward &
until grep --quiet --no-messages ready /run/host/forward; do sleep 0.02; done
/usr/sbin/sshd -D -f /run/host/sshd_config -E /run/host/sshd.log 9<&- &
until (exec 8<> /dev/tcp/127.0.0.1/22) 2> /dev/null; do sleep 0.02; done
echo "ready $number"
wait
