#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# First process of the user-mode Linux peer. Its root is the host's own root, read-only, so every program of the
# host is there; what must be written lies in tmpfs. Serves commands from ttyS0 (see peer.py).
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs run /run
mount -t tmpfs tmp /tmp

# The kernel's modules are not where modprobe looks; neither ours nor the kernel's own requests would find them.
mkdir -p /run/root/lib
ln -s /usr/lib/uml/modules /run/root/lib/modules
printf '#!/bin/bash\nexec modprobe -d /run/root "$@"\n' >/run/modprobe
chmod +x /run/modprobe
echo /run/modprobe >/proc/sys/kernel/modprobe
/run/modprobe -aq ipv6 xfrm_user esp4 esp6 hmac authenc authencesn crypto_null dummy

ip link set lo up
ip link set eth0 up
ip link add inside type dummy
ip link set inside up
# Forward for the addresses behind us; no redirects, no source filter, no wait for duplicate addresses.
sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 \
  net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.eth0.rp_filter=0 \
  net.ipv4.conf.all.send_redirects=0 net.ipv4.conf.eth0.send_redirects=0 \
  net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.eth0.accept_dad=0 net.ipv6.conf.inside.accept_dad=0

# One request a line: a command in base64. One answer a line: exit status and its output in base64.
exec 5<>/dev/ttyS0
stty raw -echo <&5
echo ready >&5
while read -r request <&5; do
  output=$(bash -c "$(base64 -d <<<"$request")" 2>&1 </dev/null)
  printf '%s %s\n' "$?" "$(base64 -w0 <<<"$output")" >&5
done
echo o >/proc/sysrq-trigger
