# SPDX-License-Identifier: BSD-3-Clause
"""The lab: host A - gate96 site A - WAN - gate96 site B - host B, each in a network namespace, joined by veth pairs.

Its state is a directory, /run/gate96-lab/NAME; a lab is up while that exists. NAME comes from the environment
variable GATE96_LAB, so that tests may have a lab of their own beside the user's.
"""
import json
import os
import pathlib
import shutil

import netns
import sites
from gateway import Gateway
from netns import LabError

STATE = pathlib.Path("/run/gate96-lab")


class Lab:
    def __init__(self, name=None):
        self.name = name or os.environ.get("GATE96_LAB", "lab")
        self.directory = STATE / self.name
        self.host_a, self.site_a, self.site_b, self.host_b = (
            f"{self.name}-{place}" for place in ("host-a", "site-a", "site-b", "host-b"))
        self._device_file = self.directory / "device"
        self.wan_ends = [(self.site_a, "wan"), (self.site_b, "wan")]
        self.gateways = [Gateway(self.site_a, self.directory / "site-a.toml"),
                         Gateway(self.site_b, self.directory / "site-b.toml")]

    def is_up(self):
        return self.directory.exists()

    def up(self, device="af_packet"):
        """Builds everything and starts both gateways. What fails half-way is taken down again. device: the kind of
        the ports on interfaces, by its name in port.device."""
        netns.require_root()
        self._claim()
        try:
            self._wire()
            sites.write_keys(self.directory)
            self._device_file.write_text(device)
            self.start("auto", bypass=False)
        except BaseException:
            self.down()
            raise

    def _claim(self):
        """The directory is the lock: only one of two that begin at once can make it."""
        STATE.mkdir(mode=0o755, exist_ok=True)
        try:
            self.directory.mkdir(mode=0o700)
        except FileExistsError:
            raise LabError(f"the lab is up already ({self.directory}): run 'tools/lab down' first, "
                           "or name another one in GATE96_LAB") from None

    def _add_namespaces(self):
        spaces = (self.host_a, self.site_a, self.site_b, self.host_b)
        for space in spaces:
            if netns.exists(space):
                raise LabError(f"a network namespace {space} is there already, and not from a lab that is up: "
                               f"remove it with 'ip netns delete {space}'")
        for space in spaces:
            netns.add(space)

    def _wire(self):
        self._add_namespaces()
        netns.veth((self.host_a, "eth0"), (self.site_a, "lan"))
        netns.veth((self.site_a, "wan"), (self.site_b, "wan"))
        netns.veth((self.site_b, "lan"), (self.host_b, "eth0"))
        for space in (self.site_a, self.site_b):
            netns.bare(space, "lan")
            netns.bare(space, "wan")
        self._dress_hosts()

    def _dress_hosts(self):
        for space, site in ((self.host_a, sites.SITE_A), (self.host_b, sites.SITE_B)):
            netns.host(space, "eth0", f"{site.host_address}/24", site.gateway_address, sites.HOST_MTU)

    def devices(self, site):
        """port.device of the site's LAN and WAN."""
        kind = self._device_file.read_text()
        return f"{kind}:lan", f"{kind}:wan"

    def start(self, backend, bypass, fpu=None):
        """Starts both gateways; restarts them if they run with another backend or policy. fpu: keys of [fpu]."""
        wanted = {"backend": backend, "bypass": bypass, "fpu": fpu or {}}
        mark = self.directory / "running.json"
        if mark.exists() and json.loads(mark.read_text()) == wanted and all(g.pid() for g in self.gateways):
            return
        mark.unlink(missing_ok=True)
        self.stop()
        for site in (sites.SITE_A, sites.SITE_B):
            sites.write_config(self.directory, self.name, site, self.devices(site), backend, bypass, fpu or {})
        for gateway in self.gateways:
            gateway.start()
        mark.write_text(json.dumps(wanted))

    def stop(self):
        """Stops both gateways, the second one even if the first hangs."""
        errors = []
        for gateway in self.gateways:
            try:
                gateway.stop()
            except LabError as error:
                errors.append(str(error))
        if errors:
            raise LabError("\n".join(errors))

    def down(self):
        """Takes down what there is, wherever an up stopped. No error if there is nothing."""
        netns.require_root()
        if not self.is_up():
            return
        try:
            self.stop()
        finally:
            for space in (self.host_a, self.site_a, self.site_b, self.host_b):
                netns.end_processes(space)
                netns.delete(space)
            shutil.rmtree(self.directory)
