// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {expectError, vm} from "../utils/Vm.sol";

contract EmergencyReleaseTest is Market {
    function test_RevertWhen_NotDelivered() external {
        uint256[4] memory tasks = [uint256(99), _post(), _active(), _cancelled()];
        vm.warp(START + 365 days);
        for (uint256 i = 0; i < tasks.length; ++i) {
            _expectWrongStatus(tasks[i]);
            _escrowAs(human).emergencyRelease(tasks[i]);
        }
    }

    function test_RevertWhen_NotHuman() external {
        uint256 taskId = _submitted();
        vm.warp(START + 365 days);
        address[6] memory others = [agent, rival, stranger, owner, guardian, validators[0]];
        for (uint256 i = 0; i < others.length; ++i) {
            expectError(IEscrow.NotTheHuman.selector, taskId, others[i]);
            _escrowAs(others[i]).emergencyRelease(taskId);
        }
    }

    function test_Submitted() external {
        _assertReleasesAt(_submitted(), START + 30 days);
    }

    function test_Approved() external {
        _assertReleasesAt(_approved(), START + 30 days);
    }

    /// @dev An approval one second before the emergency release restarts the 30-day period.
    function test_ApprovedInLastSecond() external {
        uint256 taskId = _disputed(agent);
        vm.warp(START + 30 days - 1);
        _escrowAs(agent).agentApproveTask(taskId);
        _assertReleasesAt(taskId, START + 60 days - 1);
    }

    function test_DisputedByAgent() external {
        _assertReleasesAt(_disputed(agent), START + 30 days);
    }

    function test_DisputedByHuman() external {
        uint256 taskId = _submitted();
        vm.warp(START + 20 hours);
        _escrowAs(human).disputeTask(taskId);
        _assertReleasesAt(taskId, START + 20 hours + 30 days);
    }

    function _assertReleasesAt(uint256 taskId, uint256 dueAt) private {
        vm.warp(dueAt - 1);
        expectError(IEscrow.NotDue.selector, taskId, dueAt);
        _escrowAs(human).emergencyRelease(taskId);

        vm.warp(dueAt);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskReleased(taskId, human, agent, AMOUNT * 95 / 100, AMOUNT * 5 / 100);
        _escrowAs(human).emergencyRelease(taskId);

        _assertStatus(taskId, IEscrow.Status.Released);
        _assertPaid(AMOUNT, FEE);
    }
}
