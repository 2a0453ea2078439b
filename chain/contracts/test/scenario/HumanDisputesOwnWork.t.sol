// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Attack: a human submits and disputes the work in the same block. A quorum of friendly
/// validators would approve at once, before the agent has seen the work; and the agent can no
/// longer dispute, because there is a dispute.
///
/// Defence: after the human's dispute the round opens at `submittedAt + 24 h`, as without one, and
/// an early approval of the agent does not open it either. A rejection stays possible until the
/// last time-out, and no time-out is earlier.
contract HumanDisputesOwnWorkTest is Story {
    uint256 private constant OPENS = START + 24 hours;
    uint256 private constant LAST = START + 37 days;

    function test_AgentsTimeIsNotShortened() external {
        uint256 taskId = _disputed(human);
        _assertBound();
        uint256[3] memory early = [START, START + 12 hours, OPENS - 1];
        for (uint256 i = 0; i < early.length; ++i) {
            vm.warp(early[i]);
            _refusesVerdict(taskId, true, _reason(IEscrow.ReviewNotOpen.selector, taskId, OPENS));
            _refusesVerdict(taskId, false, _reason(IEscrow.ReviewNotOpen.selector, taskId, OPENS));
            _refusesTimeOuts(taskId, LAST, START + 30 days);
        }
        vm.warp(OPENS);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev A rejection remains possible to the second in which the emergency release begins.
    function test_RejectionStaysOpen() external {
        uint256 taskId = _disputed(human);
        vm.warp(START + 30 days - 1);
        _refusesTimeOuts(taskId, LAST, START + 30 days);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    function test_TimeOutsComeNoSooner() external {
        uint256 taskId = _disputed(human);
        vm.warp(START + 30 days);
        _refusesVerdict(
            taskId, true, _reason(IEscrow.ReviewClosed.selector, taskId, START + 30 days)
        );
        expectError(IEscrow.NotDue.selector, taskId, LAST);
        _escrowAs(stranger).settle(taskId);
        _assertBound();
        vm.warp(LAST);
        escrow.settle(taskId);
        _assertReleased();
    }

    /// @dev The agent approves at once: no verdict is accepted before the agent's 24 hours are
    /// over.
    function test_EarlyApprovalDoesNotOpenTheRound() external {
        uint256 taskId = _disputed(human);
        _escrowAs(agent).agentApproveTask(taskId);
        vm.warp(OPENS - 1);
        _refusesVerdict(taskId, true, _reason(IEscrow.ReviewNotOpen.selector, taskId, OPENS));
        _refusesVerdict(
            taskId, false, abi.encodeWithSelector(IEscrow.AgentHasApproved.selector, taskId)
        );
        _assertBound();
        vm.warp(OPENS);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    /// @dev The agent approves late and the validators are silent: 72 hours after the approval pay.
    function test_ApprovalAfterwardsPaysInThreeDays() external {
        uint256 taskId = _disputed(human);
        uint256 approvedAt = START + 10 days;
        vm.warp(approvedAt);
        _escrowAs(agent).agentApproveTask(taskId);
        _refusesVerdict(
            taskId, false, abi.encodeWithSelector(IEscrow.AgentHasApproved.selector, taskId)
        );

        vm.warp(approvedAt + 72 hours - 1);
        _refusesTimeOuts(taskId, approvedAt + 72 hours, approvedAt + 30 days);
        _assertBound();
        vm.warp(approvedAt + 72 hours);
        escrow.settle(taskId);
        _assertReleased();
    }

    function _refusesVerdict(uint256 taskId, bool approved, bytes memory reason) private {
        bytes[] memory signatures = _verdict(taskId, approved);
        bytes memory call = approved
            ? abi.encodeCall(IEscrow.approveSubmission, (taskId, signatures))
            : abi.encodeCall(IEscrow.rejectSubmission, (taskId, signatures));
        _refuses(human, call, reason);
    }

    function _refusesTimeOuts(uint256 taskId, uint256 settlesAt, uint256 releasesAt) private {
        expectError(IEscrow.NotDue.selector, taskId, settlesAt);
        _escrowAs(human).settle(taskId);
        expectError(IEscrow.NotDue.selector, taskId, releasesAt);
        _escrowAs(human).emergencyRelease(taskId);
    }
}
