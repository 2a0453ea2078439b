// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {bound, expectError, vm} from "../utils/Vm.sol";

/// @dev Tests when verdicts are accepted and what they change.
contract VerdictsTest is Market {
    function test_RevertWhen_NotDelivered() external {
        uint256[4] memory tasks = [uint256(99), _post(), _active(), _cancelled()];
        bytes[] memory none = new bytes[](0);
        for (uint256 i = 0; i < tasks.length; ++i) {
            _expectWrongStatus(tasks[i]);
            escrow.approveSubmission(tasks[i], none);
            _expectWrongStatus(tasks[i]);
            escrow.rejectSubmission(tasks[i], none);
        }
    }

    function test_OpensAfterSilence() external {
        _assertOpensAt(_submitted(), START + 24 hours);
    }

    function test_OpensAfterDisputeByHuman() external {
        _assertOpensAt(_disputed(human), START + 24 hours);
    }

    function test_OpensAfterDisputeByHumanAndApproval() external {
        uint256 taskId = _disputed(human);
        _escrowAs(agent).agentApproveTask(taskId);
        _assertNotOpen(taskId, START + 24 hours - 1, START + 24 hours);
        vm.warp(START + 24 hours);
        _approve(taskId);
    }

    function test_OpensAtOnceAfterDisputeByAgent() external {
        _approve(_disputed(agent));
        _reject(_disputed(agent));
    }

    function test_OpensAtOnceAfterApproval() external {
        _approve(_approved());
    }

    function test_ClosesAfterApproval() external {
        uint256 taskId = _approved();
        _assertClosed(taskId, true, START + 72 hours);
        vm.warp(START + 72 hours - 1);
        _approve(taskId);
    }

    function test_ClosesAfterDisputeByAgent() external {
        _assertClosesAt(_disputed(agent), START + 120 hours);
    }

    function test_ClosesAfterSilence() external {
        _assertClosesAt(_submitted(), START + 30 days);
    }

    function test_ClosesAfterDisputeByHuman() external {
        uint256 taskId = _submitted();
        vm.warp(START + 10 hours);
        _escrowAs(human).disputeTask(taskId);
        _assertClosesAt(taskId, START + 10 hours + 30 days);
    }

    function test_RevertWhen_RejectingApprovedWork() external {
        uint256 taskId = _approved();
        bytes[] memory signatures = _verdict(taskId, false);
        expectError(IEscrow.AgentHasApproved.selector, taskId);
        escrow.rejectSubmission(taskId, signatures);

        taskId = _disputed(agent);
        signatures = _verdict(taskId, false);
        _escrowAs(agent).agentApproveTask(taskId);
        expectError(IEscrow.AgentHasApproved.selector, taskId);
        escrow.rejectSubmission(taskId, signatures);
    }

    function testFuzz_Approve(uint256 amount, uint16 fee) external {
        uint256 taskId;
        (taskId, amount, fee) = _disputedFor(amount, fee);
        uint256 applicationId = escrow.getTask(taskId).applicationId;
        uint256 stake = staking.getStake(applicationId).amount;
        uint256 feeAmount = amount * fee / 10_000;
        bytes[] memory signatures = _verdict(taskId, true);
        vm.expectEmit(address(escrow));
        emit IEscrow.SubmissionApproved(taskId, agent, human);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskReleased(taskId, human, agent, amount - feeAmount, feeAmount);
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationStakeReturned(applicationId, human, stake);
        _escrowAs(stranger).approveSubmission(taskId, signatures);

        _assertStatus(taskId, IEscrow.Status.Released);
        vm.assertEq(escrow.getTask(taskId).amount, 0);
        _assertPaid(amount, fee);
    }

    function testFuzz_Reject(uint256 amount, uint16 fee) external {
        uint256 taskId;
        (taskId, amount, fee) = _disputedFor(amount, fee);
        uint256 applicationId = escrow.getTask(taskId).applicationId;
        uint256 stake = staking.getStake(applicationId).amount;
        bytes[] memory signatures = _verdict(taskId, false);
        vm.expectEmit(address(escrow));
        emit IEscrow.SubmissionRejected(taskId, agent, human);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskRefunded(taskId, agent, human, amount);
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationStakeForfeited(applicationId, human, stake);
        _escrowAs(stranger).rejectSubmission(taskId, signatures);

        _assertStatus(taskId, IEscrow.Status.Refunded);
        vm.assertEq(escrow.getTask(taskId).amount, 0);
        vm.assertEq(token.balanceOf(agent), FUNDS);
        vm.assertEq(token.balanceOf(human), FUNDS - stake);
        vm.assertEq(token.balanceOf(address(treasury)), stake);
        _assertEmpty();
    }

    function _disputedFor(uint256 amount, uint16 fee) private returns (uint256, uint256, uint16) {
        amount = bound(amount, escrow.MINIMUM_ESCROW(), FUNDS);
        fee = uint16(bound(fee, 0, escrow.MAX_FEE_BASIS_POINTS()));
        _escrowAs(owner).setPlatformFee(fee);
        uint256 taskId = _post(amount);
        _accept(taskId, _applyFor(taskId, human));
        // Changes the platform fee, which must not affect this task.
        _escrowAs(owner).setPlatformFee(fee == 0 ? 2000 : 0);
        _escrowAs(human).submitTask(taskId, WORK);
        _escrowAs(agent).disputeTask(taskId);
        return (taskId, amount, fee);
    }

    function _assertOpensAt(uint256 taskId, uint256 opensAt) private {
        _assertNotOpen(taskId, START, opensAt);
        _assertNotOpen(taskId, opensAt - 1, opensAt);
        vm.warp(opensAt);
        _approve(taskId);
    }

    function _assertNotOpen(uint256 taskId, uint256 time, uint256 opensAt) private {
        vm.warp(time);
        bytes[] memory signatures = _verdict(taskId, true);
        expectError(IEscrow.ReviewNotOpen.selector, taskId, opensAt);
        escrow.approveSubmission(taskId, signatures);
    }

    function _assertClosesAt(uint256 taskId, uint256 closesAt) private {
        _assertClosed(taskId, true, closesAt);
        _assertClosed(taskId, false, closesAt);
        _assertClosed(taskId, false, closesAt + 1);
        vm.warp(closesAt - 1);
        _reject(taskId);
    }

    function _assertClosed(uint256 taskId, bool approved, uint256 time) private {
        uint256 closesAt = escrow.due(taskId);
        vm.warp(time);
        bytes[] memory signatures = _verdict(taskId, approved);
        expectError(IEscrow.ReviewClosed.selector, taskId, closesAt);
        if (approved) escrow.approveSubmission(taskId, signatures);
        else escrow.rejectSubmission(taskId, signatures);
    }

    function _approve(uint256 taskId) private {
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    function _reject(uint256 taskId) private {
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertStatus(taskId, IEscrow.Status.Refunded);
    }
}
