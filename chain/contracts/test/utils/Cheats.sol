// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev The cheat codes of the scenarios: they undo an attempt, and create many records without
/// counting their gas.
interface Cheats {
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function revertToState(uint256 snapshot) external returns (bool);
    function snapshotState() external returns (uint256 snapshot);
}

Cheats constant cheats = Cheats(address(vm));
