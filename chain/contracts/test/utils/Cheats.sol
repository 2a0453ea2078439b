// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev Cheat codes for the scenarios: restoring a snapshot, and excluding calls from gas metering.
interface Cheats {
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function revertToState(uint256 snapshot) external returns (bool);
    function snapshotState() external returns (uint256 snapshot);
}

Cheats constant cheats = Cheats(address(vm));
