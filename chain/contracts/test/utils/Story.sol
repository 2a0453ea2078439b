// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market} from "./Market.sol";
import {vm} from "./Vm.sol";

/// @dev A market whose scenarios check every balance. The expected balances follow from the number
/// of tasks of `AMOUNT` in each status, so an attack that changes any account's balance by a single
/// unit is detected. A cancelled task has no effect.
abstract contract Story is Market {
    uint256 internal constant PLATFORM_FEE = AMOUNT * FEE / 10_000;

    /// @dev Each of the `posted` tasks locks the agent's money; each of the `bound` tasks also
    /// locks the human's stake.
    function _assertBooks(uint256 posted, uint256 bound, uint256 released, uint256 refunded)
        internal
        view
    {
        _assertHolds(agent, FUNDS - AMOUNT * (posted + bound + released), "agent");
        _assertHolds(
            human, FUNDS - STAKE * (bound + refunded) + released * (AMOUNT - PLATFORM_FEE), "human"
        );
        _assertHolds(address(treasury), released * PLATFORM_FEE + refunded * STAKE, "treasury");
        _assertHolds(address(escrow), AMOUNT * (posted + bound), "escrow");
        _assertHolds(address(staking), STAKE * bound, "staking");
        _assertBystanders();
    }

    function _assertUntouched() internal view {
        _assertBooks(0, 0, 0, 0);
    }

    function _assertBound() internal view {
        _assertBooks(0, 1, 0, 0);
    }

    function _assertReleased() internal view {
        _assertBooks(0, 0, 1, 0);
    }

    function _assertRefunded() internal view {
        _assertBooks(0, 0, 0, 1);
    }

    /// @dev Asserts that accounts that are not parties to the task neither gain nor lose.
    function _assertBystanders() internal view {
        _assertHolds(rival, FUNDS, "rival");
        _assertHolds(stranger, 0, "stranger");
        _assertHolds(owner, 0, "owner");
        _assertHolds(guardian, 0, "guardian");
        for (uint256 i = 0; i < validators.length; ++i) {
            _assertHolds(validators[i], 0, "validator");
        }
    }

    function _assertHolds(address account, uint256 amount, string memory who) internal view {
        vm.assertEq(token.balanceOf(account), amount, who);
        vm.assertEq(escrow.withdrawable(account), 0, who);
        vm.assertEq(staking.withdrawable(account), 0, who);
    }

    /// @dev Asserts that `caller`'s call to the escrow reverts with exactly this `reason`.
    function _refuses(address caller, bytes memory call, bytes memory reason) internal {
        vm.prank(caller);
        (bool done, bytes memory answer) = address(escrow).call(call);
        vm.assertTrue(!done, "the call did not revert");
        vm.assertEq(keccak256(answer), keccak256(reason), "the error");
    }

    /// @dev Makes the call as `caller` and returns whether it succeeds.
    function _tries(address caller, bytes memory call) internal returns (bool done) {
        vm.prank(caller);
        (done,) = address(escrow).call(call);
    }

    function _reason(bytes4 selector, uint256 taskId, uint256 value)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(selector, taskId, value);
    }
}
