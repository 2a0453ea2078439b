// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {bound, expectError, vm} from "../utils/Vm.sol";

contract DisputeTest is Market {
    function test_RevertWhen_NoParty() external {
        uint256 taskId = _submitted();
        expectError(IEscrow.NotAParty.selector, taskId, stranger);
        _escrowAs(stranger).disputeTask(taskId);
    }

    function test_RevertWhen_NotSubmitted() external {
        uint256[4] memory tasks = [_post(), _active(), _disputed(human), _cancelled()];
        for (uint256 i = 0; i < tasks.length; ++i) {
            _expectWrongStatus(tasks[i]);
            _escrowAs(agent).disputeTask(tasks[i]);
        }
    }

    function test_RevertWhen_Approved() external {
        uint256 taskId = _approved();
        expectError(IEscrow.AgentHasApproved.selector, taskId);
        _escrowAs(human).disputeTask(taskId);
    }

    function testFuzz_RevertWhen_WindowClosed(uint256 late) external {
        uint256 taskId = _submitted();
        uint256 closesAt = START + 24 hours;
        vm.warp(closesAt + bound(late, 0, 3) % 3);
        expectError(IEscrow.DisputeWindowClosed.selector, taskId, closesAt);
        _escrowAs(agent).disputeTask(taskId);
    }

    function test_LastSecond() external {
        uint256 taskId = _submitted();
        _assertDisputes(taskId, agent, IEscrow.Party.Agent, START + 24 hours - 1);
    }

    function testFuzz_ByAgent(uint256 delay) external {
        uint256 taskId = _submitted();
        uint256 time = START + bound(delay, 0, 24 hours - 1);
        _assertDisputes(taskId, agent, IEscrow.Party.Agent, time);
        vm.assertEq(escrow.due(taskId), time + 120 hours);
    }

    function testFuzz_ByHuman(uint256 delay) external {
        uint256 taskId = _submitted();
        uint256 time = START + bound(delay, 0, 24 hours - 1);
        _assertDisputes(taskId, human, IEscrow.Party.Human, time);
        vm.assertEq(escrow.due(taskId), time + 30 days);
    }

    function _assertDisputes(uint256 taskId, address by, IEscrow.Party party, uint256 time)
        private
    {
        vm.warp(time);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskDisputed(taskId, by, agent, time);
        _escrowAs(by).disputeTask(taskId);

        IEscrow.TaskView memory task = escrow.getTask(taskId);
        vm.assertEq(task.status, uint8(IEscrow.Status.Disputed));
        vm.assertEq(task.lastActivityAt, time);
        vm.assertEq(task.submittedAt, START);
        vm.assertEq(uint256(escrow.disputedBy(taskId)), uint256(party));
    }
}
