// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev The cheat codes that only scenarios need: to try a thing and take it back, and to build a
/// crowd without counting its gas.
interface Cheats {
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function revertToState(uint256 snapshot) external returns (bool);
    function snapshotState() external returns (uint256 snapshot);
}

Cheats constant cheats = Cheats(address(vm));
