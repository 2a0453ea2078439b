// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {bound, vm} from "../utils/Vm.sol";

/// @dev The sequencer's clock differs from real time by up to 30 minutes, in either direction and
/// by a different amount in each block. Windows last hours, so a call made an hour inside its window
/// in real time succeeds at any drift, and one made an hour outside reverts.
contract SequencerDriftTest is Story {
    uint256 private constant DRIFT = 30 minutes;

    function testFuzz_DisputeAnHourBeforeTheEdge(uint256 first, uint256 second) external {
        uint256 taskId = _submittedAt(first);
        _passes(23 hours - 1, second);
        bytes[] memory early = _verdict(taskId, true);
        uint256 edge = escrow.getTask(taskId).submittedAt + 24 hours;
        vm.expectRevert(_reason(IEscrow.ReviewNotOpen.selector, taskId, edge));
        escrow.approveSubmission(taskId, early);
        _escrowAs(agent).disputeTask(taskId);
        _assertStatus(taskId, IEscrow.Status.Disputed);
        _assertBound();
    }

    function testFuzz_ReviewAnHourAfterTheEdge(uint256 first, uint256 second) external {
        uint256 taskId = _submittedAt(first);
        _passes(25 hours, second);
        uint256 edge = escrow.getTask(taskId).submittedAt + 24 hours;
        vm.expectRevert(_reason(IEscrow.DisputeWindowClosed.selector, taskId, edge));
        _escrowAs(agent).disputeTask(taskId);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    function testFuzz_TimeOutOfASilentTask(uint256 first, uint256 second, uint256 third) external {
        uint256 taskId = _submittedAt(first);
        uint256 due = escrow.getTask(taskId).submittedAt + 37 days;
        _passes(37 days - 1 hours - 1, second);
        vm.expectRevert(_reason(IEscrow.NotDue.selector, taskId, due));
        _escrowAs(stranger).settle(taskId);
        _assertBound();
        _passes(37 days + 1 hours, third);
        _escrowAs(stranger).settle(taskId);
        _assertReleased();
    }

    /// @dev Submits work half an hour after `START`, as the drifting clock shows it.
    function _submittedAt(uint256 drift) private returns (uint256 taskId) {
        _passes(0, drift);
        return _submitted();
    }

    /// @dev Sets the clock to the given time after the submission, with a drift.
    function _passes(uint256 sinceSubmission, uint256 drift) private {
        vm.warp(START + sinceSubmission + bound(drift, 0, 2 * DRIFT));
    }
}
