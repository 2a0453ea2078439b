// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {vm} from "../utils/Vm.sol";

/// @dev A cancellation and a submission are in one block. The agent sees the submission in the
/// mempool and wants the work and the money. The human has no work and wants to be paid anyway, or
/// to avoid a verdict on the submitted work.
///
/// Only the transaction order decides: a task can be cancelled only while Posted or Active and
/// submitted only while Active, so the first call makes the second revert. Before the submission no
/// party loses; after it, only a verdict or a timeout pays. The mempool shows only the hash of the
/// work.
contract CancelAndSubmitTest is Story {
    function test_AgentCancelsFirst() external {
        uint256 taskId = _active();
        _assertBound();

        _escrowAs(agent).cancelTask(taskId);
        _refuses(human, _submission(taskId), _wrongStatus(taskId, IEscrow.Status.Cancelled));

        _assertUntouched();
        _assertNothingLeft(taskId);
    }

    function test_HumanSubmitsFirst() external {
        uint256 taskId = _active();

        _escrowAs(human).submitTask(taskId, WORK);
        _refuses(agent, _cancellation(taskId), _wrongStatus(taskId, IEscrow.Status.Submitted));
        _assertBound();

        // The agent does not respond, and the timeout pays the human.
        vm.warp(START + 30 days);
        _escrowAs(human).emergencyRelease(taskId);
        _assertReleased();
    }

    /// @dev After submitting worthless work, the human cannot get the stake back by resigning.
    function test_HumanSubmitsAndResigns() external {
        uint256 taskId = _active();

        _escrowAs(human).submitTask(taskId, WORK);
        _refuses(human, _cancellation(taskId), _wrongStatus(taskId, IEscrow.Status.Submitted));
        _escrowAs(agent).disputeTask(taskId);
        _refuses(human, _cancellation(taskId), _wrongStatus(taskId, IEscrow.Status.Disputed));
        _assertBound();

        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev Asserts that no later call pays, although the escrow has funds from other tasks of the
    /// same parties.
    function _assertNothingLeft(uint256 taskId) private {
        uint256 other = _active();
        vm.warp(START + 400 days);
        _refuses(human, _submission(taskId), _wrongStatus(taskId, IEscrow.Status.Cancelled));
        _refuses(agent, _cancellation(taskId), _wrongStatus(taskId, IEscrow.Status.Cancelled));
        vm.expectRevert(_wrongStatus(taskId, IEscrow.Status.Cancelled));
        _escrowAs(human).emergencyRelease(taskId);
        _assertBound();
        _assertStatus(other, IEscrow.Status.Active);
    }

    function _submission(uint256 taskId) private pure returns (bytes memory) {
        return abi.encodeCall(IEscrow.submitTask, (taskId, WORK));
    }

    function _cancellation(uint256 taskId) private pure returns (bytes memory) {
        return abi.encodeCall(IEscrow.cancelTask, (taskId));
    }
}
