// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Books, Money} from "../utils/Books.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Attack: a human with bad work wants the emergency exit before the verdict, or an agent
/// wants a dispute to block that exit for ever. Defence: a dispute does not remove the exit but
/// restarts its 30 days, so a verdict always comes first; and only one dispute and one approval are
/// activity, so it can be delayed at most twice.
contract EmergencyDuringDisputeTest is Books {
    function test_CannotOvertakeTheVerdictOfTheAgentsDispute() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, false);
        Money memory books = _money();
        vm.warp(START + 120 hours - 1);
        _assertNotDue(taskId, START + 30 days);

        escrow.rejectSubmission(taskId, signatures);
        _bookRefund(books);
        _assertMoney(books);

        vm.warp(START + 30 days);
        _assertEnded(taskId, IEscrow.Status.Refunded);
    }

    /// @dev After the validators did not respond for 120 hours anyone can settle, and the human
    /// alone can 30 days after the dispute, without any other account.
    function test_OpenInTheAgentsDispute() external {
        uint256 taskId = _submitted();
        vm.warp(START + 24 hours - 1);
        _escrowAs(agent).disputeTask(taskId);
        Money memory books = _money();

        vm.warp(START + 30 days);
        _assertNotDue(taskId, START + 31 days - 1);
        vm.warp(START + 31 days - 1);
        _escrowAs(human).emergencyRelease(taskId);
        _bookRelease(books);
        _assertMoney(books);
        _assertEnded(taskId, IEscrow.Status.Released);
    }

    /// @dev The human's own dispute delays only the human.
    function test_OpenInTheHumansDispute() external {
        uint256 taskId = _submitted();
        vm.warp(START + 23 hours);
        _escrowAs(human).disputeTask(taskId);
        Money memory books = _money();

        vm.warp(START + 30 days);
        _assertNotDue(taskId, START + 23 hours + 30 days);
        vm.warp(START + 23 hours + 30 days - 1);
        _assertNotDue(taskId, START + 23 hours + 30 days);
        vm.warp(START + 23 hours + 30 days);
        _escrowAs(human).emergencyRelease(taskId);
        _bookRelease(books);
        _assertMoney(books);
    }

    /// @dev The agent approves a second before the exit opens. That restarts the 30 days, but
    /// allows anyone to `settle` after 72 hours: it is consent, and possible only once.
    function test_PutOffByApprovalPaysSooner() external {
        address[2] memory disputants = [agent, human];
        for (uint256 i = 0; i < disputants.length; ++i) {
            vm.warp(START);
            uint256 taskId = _disputed(disputants[i]);
            Money memory books = _money();
            uint256 approvedAt = START + 30 days - 1;
            vm.warp(approvedAt);
            _escrowAs(agent).agentApproveTask(taskId);
            vm.warp(START + 30 days);
            _assertNotDue(taskId, approvedAt + 30 days);
            expectError(IEscrow.AgentHasApproved.selector, taskId);
            _escrowAs(agent).agentApproveTask(taskId);

            vm.warp(approvedAt + 72 hours);
            _escrowAs(stranger).settle(taskId);
            _bookRelease(books);
            _assertMoney(books);
        }
    }

    /// @dev Only the human can use the exit, at any time.
    function test_OnlyTheHuman() external {
        uint256 taskId = _disputed(human);
        vm.warp(START + 365 days);
        address[6] memory others = [agent, rival, stranger, owner, guardian, validators[0]];
        for (uint256 i = 0; i < others.length; ++i) {
            expectError(IEscrow.NotTheHuman.selector, taskId, others[i]);
            _escrowAs(others[i]).emergencyRelease(taskId);
        }
    }

    function _assertNotDue(uint256 taskId, uint256 dueAt) private {
        expectError(IEscrow.NotDue.selector, taskId, dueAt);
        _escrowAs(human).emergencyRelease(taskId);
    }

    function _assertEnded(uint256 taskId, IEscrow.Status status) private {
        vm.expectRevert(_wrongStatus(taskId, status));
        _escrowAs(human).emergencyRelease(taskId);
    }
}
