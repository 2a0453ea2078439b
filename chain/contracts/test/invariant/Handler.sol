// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../utils/Vm.sol";
import {Liveness} from "./Liveness.sol";

/// @dev Sets up a market with funded accounts and defines all actions on it.
contract Handler is Liveness {
    constructor() {
        purse[address(this)] = token.balanceOf(address(this));
        for (uint256 i = 0; i < agents.length; ++i) {
            _fund(agents[i]);
        }
        for (uint256 i = 1; i < humans.length; ++i) {
            _fund(humans[i]);
        }
        _fund(donor);
        delete touched;
        vm.recordLogs();
        _refuse(humans[5], true);
    }

    /// @dev Runs once per run: performs all checks, withdraws the funds of every account, then
    /// checks again.
    function finish(string calldata profile, uint256 seed) external {
        sweep();
        this.conclude(seed);
        sweep();
        _report(profile);
    }

    function _fund(address account) internal {
        token.transfer(account, FUNDS);
        (purse[account], purse[address(this)]) = (FUNDS, purse[address(this)] - FUNDS);
        for (uint256 i = 0; i < 2; ++i) {
            address custody = _custodies()[i];
            vm.prank(account);
            token.approve(custody, type(uint256).max);
            allowance[account][custody] = type(uint256).max;
        }
    }
}
