// SPDX-License-Identifier: BSD-3-Clause
// What the process gives up once it no longer needs it.
#pragma once

namespace gate96 {

/// No core file or debugger shows the keys, and no program started from here gains rights. For the whole
/// process, before the keys are read: every command that reads a configuration with keys. Throws
/// std::runtime_error if the kernel refuses.
void seal_process();

/// Drops every capability of the calling thread: the threads that read hostile packets need none once ports
/// are open. Throws std::runtime_error if the kernel refuses.
void drop_capabilities();

}  // namespace gate96
