// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market} from "./Market.sol";
import {vm} from "./Vm.sol";

/// @dev All balances. A scenario reads them, declares the expected gains and losses, and compares
/// them again. Every account is included, so an undeclared payment fails the test.
struct Money {
    uint256 agent;
    uint256 human;
    uint256 rival;
    uint256 stranger;
    uint256 owner;
    uint256 guardian;
    uint256 treasury;
    uint256 escrow;
    uint256 staking;
}

/// @dev A market that compares the balances of all parties with the expected balances.
abstract contract Books is Market {
    uint256 internal constant FEE_AMOUNT = AMOUNT * FEE / 10_000;
    uint256 internal constant PAYOUT = AMOUNT - FEE_AMOUNT;

    function _money() internal view returns (Money memory) {
        return Money({
            agent: token.balanceOf(agent),
            human: token.balanceOf(human),
            rival: token.balanceOf(rival),
            stranger: token.balanceOf(stranger),
            owner: token.balanceOf(owner),
            guardian: token.balanceOf(guardian),
            treasury: token.balanceOf(address(treasury)),
            escrow: token.balanceOf(address(escrow)),
            staking: token.balanceOf(address(staking))
        });
    }

    function _assertMoney(Money memory want) internal view {
        Money memory have = _money();
        vm.assertEq(have.agent, want.agent, "agent");
        vm.assertEq(have.human, want.human, "human");
        vm.assertEq(have.rival, want.rival, "rival");
        vm.assertEq(have.stranger, want.stranger, "stranger");
        vm.assertEq(have.owner, want.owner, "owner");
        vm.assertEq(have.guardian, want.guardian, "guardian");
        vm.assertEq(have.treasury, want.treasury, "treasury");
        vm.assertEq(have.escrow, want.escrow, "escrow");
        vm.assertEq(have.staking, want.staking, "staking");
    }

    // Expected balances after a task of AMOUNT has ended, including its stake if there is one.

    function _bookRelease(Money memory money) internal pure {
        money.escrow -= AMOUNT;
        money.staking -= STAKE;
        money.human += PAYOUT + STAKE;
        money.treasury += FEE_AMOUNT;
    }

    function _bookRefund(Money memory money) internal pure {
        money.escrow -= AMOUNT;
        money.staking -= STAKE;
        money.agent += AMOUNT;
        money.treasury += STAKE;
    }

    function _bookCancel(Money memory money) internal pure {
        money.escrow -= AMOUNT;
        money.staking -= STAKE;
        money.agent += AMOUNT;
        money.human += STAKE;
    }

    function _give(address account, uint256 amount) internal {
        vm.assertTrue(token.transfer(account, amount));
    }

    /// @dev Makes a call and returns its result instead of reverting.
    function _try(address caller, address target, bytes memory call)
        internal
        returns (bool success, bytes memory answer)
    {
        vm.prank(caller);
        return target.call(call);
    }

    /// @dev Asserts that the call reverts with exactly this error and changes no balance.
    function _assertRefused(address caller, address target, bytes memory call, bytes memory reason)
        internal
    {
        Money memory before = _money();
        (bool success, bytes memory answer) = _try(caller, target, call);
        vm.assertTrue(!success, "the call did not revert");
        vm.assertEq(keccak256(answer), keccak256(reason), "the error");
        _assertMoney(before);
    }
}
