// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {vm} from "../utils/Vm.sol";

/// @dev Two exits for one task are in one block, in either order: the parties race, or validators
/// have signed both verdicts. A second exit would be paid from other tasks' funds, which share the
/// escrow's balance.
///
/// For every situation and every second around its time limits, the table lists the exits that the
/// rules allow. Every ordered pair of exits is then tried on a separate task. The first allowed
/// exit pays, the other reverts because an ended task is final, and all balances are as expected.
contract TwoExitsInOneBlockTest is Story {
    uint256 private constant APPROVE = 1 << 0;
    uint256 private constant REJECT = 1 << 1;
    uint256 private constant SETTLE = 1 << 2;
    uint256 private constant EMERGENCY = 1 << 3;
    uint256 private constant CANCEL = 1 << 4;
    uint256 private constant EXITS = 5;

    uint256 private posted;
    uint256 private bound;
    uint256 private released;
    uint256 private refunded;

    function test_Posted() external {
        _tryPairs(_posted, 0, CANCEL);
        _tryPairs(_posted, 400 days, CANCEL);
    }

    function test_Active() external {
        _tryPairs(_active, 0, CANCEL);
        _tryPairs(_active, 400 days, CANCEL);
    }

    function test_SilentAgent() external {
        _tryPairs(_submitted, 0, 0);
        _tryPairs(_submitted, 24 hours - 1, 0);
        _tryPairs(_submitted, 24 hours, APPROVE | REJECT);
        _tryPairs(_submitted, 30 days - 1, APPROVE | REJECT);
        _tryPairs(_submitted, 30 days, EMERGENCY);
        _tryPairs(_submitted, 37 days - 1, EMERGENCY);
        _tryPairs(_submitted, 37 days, EMERGENCY | SETTLE);
    }

    function test_ApprovedByAgent() external {
        _tryPairs(_approved, 0, APPROVE);
        _tryPairs(_approved, 72 hours - 1, APPROVE);
        _tryPairs(_approved, 72 hours, SETTLE);
        _tryPairs(_approved, 30 days - 1, SETTLE);
        _tryPairs(_approved, 30 days, SETTLE | EMERGENCY);
    }

    function test_DisputedByAgent() external {
        _tryPairs(_disputedByAgent, 0, APPROVE | REJECT);
        _tryPairs(_disputedByAgent, 120 hours - 1, APPROVE | REJECT);
        _tryPairs(_disputedByAgent, 120 hours, SETTLE);
        _tryPairs(_disputedByAgent, 30 days - 1, SETTLE);
        _tryPairs(_disputedByAgent, 30 days, SETTLE | EMERGENCY);
    }

    function test_DisputedByHuman() external {
        _tryPairs(_disputedByHuman, 0, 0);
        _tryPairs(_disputedByHuman, 24 hours - 1, 0);
        _tryPairs(_disputedByHuman, 24 hours, APPROVE | REJECT);
        _tryPairs(_disputedByHuman, 30 days - 1, APPROVE | REJECT);
        _tryPairs(_disputedByHuman, 30 days, EMERGENCY);
        _tryPairs(_disputedByHuman, 37 days - 1, EMERGENCY);
        _tryPairs(_disputedByHuman, 37 days, EMERGENCY | SETTLE);
    }

    /// @dev An approval after the human's dispute does not start the review before the agent's 24
    /// hours are over.
    function test_DisputedByHumanAndApproved() external {
        _tryPairs(_disputedByHumanAndApproved, 0, 0);
        _tryPairs(_disputedByHumanAndApproved, 24 hours - 1, 0);
        _tryPairs(_disputedByHumanAndApproved, 24 hours, APPROVE);
        _tryPairs(_disputedByHumanAndApproved, 72 hours - 1, APPROVE);
        _tryPairs(_disputedByHumanAndApproved, 72 hours, SETTLE);
        _tryPairs(_disputedByHumanAndApproved, 30 days, SETTLE | EMERGENCY);
    }

    function _posted() private returns (uint256) {
        return _post();
    }

    function _disputedByHumanAndApproved() private returns (uint256 taskId) {
        taskId = _disputed(human);
        _escrowAs(agent).agentApproveTask(taskId);
    }

    function _disputedByAgent() private returns (uint256) {
        return _disputed(agent);
    }

    function _disputedByHuman() private returns (uint256) {
        return _disputed(human);
    }

    /// @dev Tries all ordered pairs of exits on tasks in this `situation`, `age` seconds after
    /// their last activity. Only the exits in `open` may succeed.
    function _tryPairs(function() internal returns (uint256) situation, uint256 age, uint256 open)
        private
    {
        for (uint256 pair = 0; pair < EXITS * EXITS; ++pair) {
            uint256 taskId = situation();
            vm.warp(block.timestamp + age);
            uint256 first = uint256(1) << (pair / EXITS);
            uint256 second = uint256(1) << (pair % EXITS);
            bool firstDone = _leaves(taskId, first);
            bool secondDone = _leaves(taskId, second);

            vm.assertEq(firstDone, first & open != 0);
            vm.assertEq(secondDone, !firstDone && second & open != 0);
            _book(taskId, firstDone ? first : secondDone ? second : 0);
            _assertBooks(posted, bound, released, refunded);
        }
    }

    function _leaves(uint256 taskId, uint256 exit) private returns (bool) {
        if (exit == APPROVE) {
            bytes[] memory approval = _verdict(taskId, true);
            return _tries(stranger, abi.encodeCall(IEscrow.approveSubmission, (taskId, approval)));
        }
        if (exit == REJECT) {
            bytes[] memory rejection = _verdict(taskId, false);
            return _tries(stranger, abi.encodeCall(IEscrow.rejectSubmission, (taskId, rejection)));
        }
        if (exit == SETTLE) return _tries(stranger, abi.encodeCall(IEscrow.settle, (taskId)));
        if (exit == CANCEL) return _tries(agent, abi.encodeCall(IEscrow.cancelTask, (taskId)));
        return _tries(human, abi.encodeCall(IEscrow.emergencyRelease, (taskId)));
    }

    /// @dev Adds the result of one more task to the expected balances.
    function _book(uint256 taskId, uint256 exit) private {
        if (exit == 0) return _bookLive(taskId);
        if (exit == CANCEL) return _assertStatus(taskId, IEscrow.Status.Cancelled);
        if (exit == REJECT) ++refunded;
        else ++released;
        _assertStatus(taskId, exit == REJECT ? IEscrow.Status.Refunded : IEscrow.Status.Released);
    }

    function _bookLive(uint256 taskId) private {
        if (escrow.getTask(taskId).status == uint8(IEscrow.Status.Posted)) ++posted;
        else ++bound;
    }
}
