// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Books, Money} from "../utils/Books.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev The sequencer halts for 25 hours, or censors all transactions until they are forced in from
/// layer 1, so two consecutive blocks are 25 hours apart. Possible losses: the agent's 24 hours to
/// dispute, if all of them fall into the gap, and 25 of the validators' hours. No money is lost:
/// after a missed dispute window the validators can still reject the work, and after a gap that
/// covers a whole round the human is paid, as if no party had responded.
contract SequencerHaltTest is Books {
    uint256 private constant GAP = 25 hours;

    /// @dev The submission is in the last block before the gap. The agent can no longer dispute,
    /// but a rejecting verdict still returns the full amount.
    function test_DisputeWindowSwallowed() external {
        uint256 taskId = _submitted();
        Money memory books = _money();
        vm.warp(START + GAP);
        expectError(IEscrow.DisputeWindowClosed.selector, taskId, START + 24 hours);
        _escrowAs(agent).disputeTask(taskId);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _bookRefund(books);
        _assertMoney(books);
    }

    /// @dev The human gains nothing from the gap, because no timeout becomes due earlier.
    function test_GapPaysNoParty() external {
        uint256[4] memory tasks = [_submitted(), _disputed(agent), _disputed(human), _approved()];
        uint256[4] memory settles =
            [START + 37 days, START + 120 hours, START + 37 days, START + 72 hours];
        vm.warp(START + GAP);
        for (uint256 i = 0; i < tasks.length; ++i) {
            bytes memory notDue =
                abi.encodeWithSelector(IEscrow.NotDue.selector, tasks[i], settles[i]);
            vm.expectRevert(notDue);
            _escrowAs(stranger).settle(tasks[i]);
            notDue = abi.encodeWithSelector(IEscrow.NotDue.selector, tasks[i], START + 30 days);
            vm.expectRevert(notDue);
            _escrowAs(human).emergencyRelease(tasks[i]);
        }
    }

    /// @dev Worst case: the gap covers the last 25 hours of the round after the agent's dispute.
    /// The validators' verdict, signed in time, is mined too late, and the timeout pays the human.
    function test_EndOfTheReviewSwallowed() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, false);
        Money memory books = _money();
        vm.warp(START + 120 hours - 1 + GAP);
        expectError(IEscrow.ReviewClosed.selector, taskId, START + 120 hours);
        _escrowAs(stranger).rejectSubmission(taskId, signatures);
        _escrowAs(stranger).settle(taskId);
        _bookRelease(books);
        _assertMoney(books);
    }
}
