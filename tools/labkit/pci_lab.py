# SPDX-License-Identifier: BSD-3-Clause
"""The lab with site A in a QEMU guest: host A - [NIC gate96 NIC] - gate96 site B - host B."""
import guest
import kernel
import netns
import sites
from lab import Lab
from terminal import progress


class PciLab(Lab):
    def __init__(self, nic):
        super().__init__("nic")
        self.nic = nic
        self.kernel = None
        self.gateways[0] = guest.GuestGateway(self.directory / "site-a.toml")

    def devices(self, site):
        if site is sites.SITE_A:
            return tuple(f"pci:{guest.DEVICES[name]}" for name in ("lan", "wan"))
        return super().devices(site)

    def _wire(self):
        """The guest's NICs end in two taps, which become host A's eth0 and site B's wan once QEMU holds them."""
        self.kernel = kernel.fetch()
        self._add_namespaces()
        for tap in guest.SLOTS:
            netns.run("ip", "-n", self.site_a, "tuntap", "add", "name", tap, "mode", "tap")
        progress(f"booting Linux {self.kernel.version} in QEMU with two {self.nic}")
        self.gateways[0].guest = guest.Guest(self.site_a, self.directory, self.kernel, self.nic)
        self.gateways[0].guest.wait_for_boot()
        for tap, space, name in (("lan", self.host_a, "eth0"), ("wan", self.site_b, "wan")):
            netns.run("ip", "-n", self.site_a, "link", "set", tap, "netns", space, "name", name)
        netns.veth((self.site_b, "lan"), (self.host_b, "eth0"))
        netns.bare(self.site_b, "lan")
        netns.bare(self.site_b, "wan")
        self._dress_hosts()

    def down(self):
        try:
            super().down()
        finally:
            if self.gateways[0].guest:
                self.gateways[0].guest.stop()
