// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Books, Money} from "../utils/Books.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev The sequencer halts for 25 hours, or censors everything until transactions are forced in
/// from the first layer: two blocks are 25 hours apart. What can be lost: the agent's 24 hours to
/// dispute, if all of them fall into the gap, and 25 of the validators' hours. No money is lost:
/// after the lost window the validators still judge the work, also for the agent, and after a gap
/// that covers a whole round the human is paid, as without a response.
contract SequencerHaltTest is Books {
    uint256 private constant GAP = 25 hours;

    /// @dev The block before the gap has the submission. The agent can no longer dispute, but a
    /// reject verdict still returns the whole amount.
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

    /// @dev The human gains nothing by the gap: no time-out is due before its day.
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

    /// @dev A dispute before the gap has 95 of its 120 hours left.
    function test_DisputedBeforeTheGap() external {
        uint256 taskId = _disputed(agent);
        Money memory books = _money();
        vm.warp(START + GAP);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _bookRefund(books);
        _assertMoney(books);
    }

    /// @dev Worst case: the gap covers the last 25 hours of the agent's dispute. The validators'
    /// verdict, signed in time, arrives too late, and the time-out pays the human.
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

    /// @dev An application that expired in the gap cannot be accepted; its stake is returned.
    function test_ApplicationExpiredInTheGap() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        vm.warp(START + 7 days - 1 + GAP);
        Money memory books = _money();
        _stakingAs(stranger).withdrawStake(applicationId);
        books.staking -= STAKE;
        books.human += STAKE;
        uint256 again = _applyFor(taskId, human);
        books.staking += STAKE;
        books.human -= STAKE;
        _accept(taskId, again);
        _assertMoney(books);
    }

    /// @dev Agent and human were cut off for a while each; from `Active` nothing has a clock, so
    /// neither has lost anything.
    function test_ActiveHasNoClock() external {
        uint256 taskId = _active();
        Money memory books = _money();
        vm.warp(START + GAP);
        _escrowAs(human).submitTask(taskId, WORK);
        vm.assertEq(escrow.getTask(taskId).disputeDeadline, START + GAP + 24 hours);
        vm.warp(START + GAP + 24 hours - 1);
        _escrowAs(agent).disputeTask(taskId);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _bookRelease(books);
        _assertMoney(books);
    }

    /// @dev Forced in together in the first block after a gap: whichever order the first layer
    /// chose, all that was still open before the gap's end is judged by that block's time alone.
    function test_AllForcedIntoOneBlock() external {
        (uint256 silent, uint256 approved) = (_submitted(), _approved());
        Money memory books = _money();
        vm.warp(START + 72 hours - 1 + GAP);
        bytes[] memory signatures = _verdict(approved, true);
        expectError(IEscrow.ReviewClosed.selector, approved, START + 72 hours);
        _escrowAs(stranger).approveSubmission(approved, signatures);
        escrow.settle(approved);
        _bookRelease(books);
        _assertMoney(books);
        escrow.rejectSubmission(silent, _verdict(silent, false));
        _bookRefund(books);
        _assertMoney(books);
    }
}
