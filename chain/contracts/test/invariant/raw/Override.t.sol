// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../../utils/Vm.sol";
import {Targets} from "./Targets.sol";

/// @dev Foundry replaces some of the contracts' external calls with reentrant calls. These invariants
/// must still hold:
///
/// 1. The escrow's balance covers the live amounts and the credits; the staking contract's balance covers the stakes and the credits.
/// 2. An ended task has no amount.
contract OverrideTest is Targets {
    function targetContracts() external view override returns (address[] memory targets) {
        targets = new address[](2);
        (targets[0], targets[1]) = (address(escrow), address(staking));
    }

    function targetSelectors() external view override returns (FuzzSelector[] memory selectors) {
        selectors = new FuzzSelector[](2);
        selectors[0] = FuzzSelector(address(escrow), _ofEscrow());
        selectors[1] = FuzzSelector(address(staking), _ofStaking());
    }

    /// forge-config: default.invariant.runs = 16
    /// forge-config: default.invariant.depth = 64
    /// forge-config: deep.invariant.runs = 2000
    /// forge-config: deep.invariant.depth = 128
    /// forge-config: default.invariant.fail-on-revert = false
    /// forge-config: default.invariant.call-override = true
    function invariant_Reentrancy() external view {
        escrowIsCovered();
        stakesAreCovered();
    }

    function escrowIsCovered() internal view {
        uint256 owed = 0;
        for (uint256 id = 1; id <= escrow.taskCount(); ++id) {
            uint256 amount = escrow.getTask(id).amount;
            vm.assertTrue(amount == 0 || escrow.getTask(id).status < 5, "live amount after the end");
            owed += amount;
        }
        address[] memory accounts = fixtureAccount();
        for (uint256 i = 0; i < accounts.length; ++i) {
            owed += escrow.withdrawable(accounts[i]);
        }
        vm.assertLe(owed, token.balanceOf(address(escrow)), "escrow");
    }

    function stakesAreCovered() internal view {
        uint256 owed = 0;
        for (uint256 id = 1; staking.getStakeHuman(id) != address(0); ++id) {
            owed += staking.getStake(id).amount;
        }
        address[] memory accounts = fixtureAccount();
        for (uint256 i = 0; i < accounts.length; ++i) {
            owed += staking.withdrawable(accounts[i]);
        }
        vm.assertLe(owed, token.balanceOf(address(staking)), "staking");
    }
}
