// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {vm} from "../utils/Vm.sol";

/// @dev Attack: the agent has received the work and does not want to pay. Every timeout counts
/// from `lastActivityAt`, so the agent tries to update it shortly before each timeout: approves
/// again, disputes again, makes every other call, and has other accounts, the owner and the
/// validators do the same.
///
/// Defence: only the submission, one dispute and one approval update that time. The second approval
/// reverts, and forty rounds of calls by all accounts do not delay the payment.
contract ApprovalRepeatedTest is Story {
    uint16 private constant ROUNDS = 40;

    function test_SilentTask() external {
        uint256 taskId = _submitted();
        _callRepeatedly(taskId, START, 30 days);
        _paysAt(taskId, START + 30 days, human, abi.encodeCall(IEscrow.emergencyRelease, (taskId)));
    }

    function test_ApprovedTask() external {
        uint256 taskId = _approved();
        _callRepeatedly(taskId, START, 72 hours);
        _settlesAt(taskId, START + 72 hours);
    }

    function test_TaskDisputedByAgent() external {
        uint256 taskId = _disputed(agent);
        _callRepeatedly(taskId, START, 120 hours);
        _settlesAt(taskId, START + 120 hours);
    }

    function test_TaskDisputedByHuman() external {
        uint256 taskId = _disputed(human);
        _callRepeatedly(taskId, START, 30 days);
        _paysAt(taskId, START + 30 days, human, abi.encodeCall(IEscrow.emergencyRelease, (taskId)));
    }

    /// @dev Tests the longest possible delay with a dispute: the dispute and the approval are each
    /// made in the last second. The payment is due 72 hours after the approval, and no further call
    /// delays it.
    function test_LongestWaitAfterDispute() external {
        uint256 taskId = _submitted();
        uint256 disputedAt = START + 24 hours - 1;
        vm.warp(disputedAt);
        _escrowAs(agent).disputeTask(taskId);
        _approvesAt(taskId, disputedAt + 120 hours - 1);
    }

    /// @dev Tests the longest possible delay without a dispute: an approval in the last second
    /// before the emergency release.
    function test_LongestWaitAfterSilence() external {
        _approvesAt(_submitted(), START + 30 days - 1);
    }

    function _approvesAt(uint256 taskId, uint256 approvedAt) private {
        vm.warp(approvedAt);
        _escrowAs(agent).agentApproveTask(taskId);
        _callRepeatedly(taskId, approvedAt, 72 hours);
        _settlesAt(taskId, approvedAt + 72 hours);
    }

    /// @dev Makes calls from all accounts, spread over `delay` seconds after the last activity at
    /// `since`.
    function _callRepeatedly(uint256 taskId, uint256 since, uint256 delay) private {
        uint256 dueAt = escrow.due(taskId);
        bytes[] memory calls = _calls(taskId);
        for (uint16 round = 1; round <= ROUNDS; ++round) {
            vm.warp(since + delay * round / (ROUNDS + 1));
            _interfere(round);
            for (uint256 i = _firstInvalid(taskId); i < calls.length; ++i) {
                _allAccountsFail(calls[i]);
            }
            vm.assertEq(escrow.getTask(taskId).lastActivityAt, since, "last activity");
            vm.assertEq(escrow.due(taskId), dueAt, "due");
        }
        _assertBound();
    }

    /// @dev Returns the index of the first call in `_calls` that must fail now: the agent can still
    /// approve once, and a party can dispute while the window is open.
    function _firstInvalid(uint256 taskId) private view returns (uint256) {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        if (task.agentApproved) return 0;
        bool disputable = task.status == uint8(IEscrow.Status.Submitted)
            && block.timestamp < task.disputeDeadline;
        return disputable ? 2 : 1;
    }

    function _calls(uint256 taskId) private view returns (bytes[] memory calls) {
        uint256 applicationId = escrow.getTask(taskId).applicationId;
        bytes32 digest = escrow.verdictDigest(taskId, true);
        calls = new bytes[](8);
        calls[0] = abi.encodeCall(IEscrow.agentApproveTask, (taskId));
        calls[1] = abi.encodeCall(IEscrow.disputeTask, (taskId));
        calls[2] = abi.encodeCall(IEscrow.submitTask, (taskId, keccak256("other work")));
        calls[3] = abi.encodeCall(IEscrow.acceptApplicationForTask, (taskId, applicationId));
        calls[4] = abi.encodeCall(IEscrow.cancelTask, (taskId));
        calls[5] = abi.encodeCall(IEscrow.settle, (taskId));
        calls[6] = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
        calls[7] = abi.encodeCall(IEscrow.approveSubmission, (taskId, _signed(digest, QUORUM - 1)));
    }

    function _allAccountsFail(bytes memory call) private {
        address[7] memory allAccounts =
            [agent, human, rival, stranger, owner, guardian, validators[0]];
        for (uint256 i = 0; i < allAccounts.length; ++i) {
            vm.assertTrue(!_tries(allAccounts[i], call), "a call succeeded");
        }
    }

    /// @dev Makes calls as the owner and the guardian, none of which affects the task.
    function _interfere(uint16 round) private {
        _escrowAs(owner).setPlatformFee(round * 50);
        _escrowAs(owner).changePanel(new address[](0), new address[](0), round % 2 == 1 ? 3 : 2);
        _escrowAs(guardian).pause();
        _escrowAs(guardian).unpause();
    }

    function _settlesAt(uint256 taskId, uint256 dueAt) private {
        _paysAt(taskId, dueAt, stranger, abi.encodeCall(IEscrow.settle, (taskId)));
    }

    /// @dev Asserts that the payment succeeds at `dueAt` and reverts one second earlier.
    function _paysAt(uint256 taskId, uint256 dueAt, address caller, bytes memory call) private {
        vm.warp(dueAt - 1);
        _refuses(caller, call, _reason(IEscrow.NotDue.selector, taskId, dueAt));
        _assertBound();
        vm.warp(dueAt);
        vm.assertTrue(_tries(caller, call), "the payment was delayed");
        _assertReleased();
    }
}
