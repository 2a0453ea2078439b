// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {expectError, vm} from "../utils/Vm.sol";

contract AcceptApplicationTest is Market {
    function test_RevertWhen_NotAgent() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        expectError(IEscrow.NotTheAgent.selector, taskId, human);
        _escrowAs(human).acceptApplicationForTask(taskId, applicationId);
    }

    function test_RevertWhen_NotPosted() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        uint256 late = _applyFor(taskId, rival);
        _accept(taskId, applicationId);
        vm.expectRevert(_wrongStatus(taskId, IEscrow.Status.Active));
        _accept(taskId, late);

        uint256 cancelled = _cancelled();
        vm.expectRevert(_wrongStatus(cancelled, IEscrow.Status.Cancelled));
        _accept(cancelled, late);
    }

    function test_RevertWhen_NoLiveApplication() external {
        uint256 taskId = _post();
        _assertRefused(taskId, 0, IApplicationStaking.StakeStatus.None);
        _assertRefused(taskId, 7, IApplicationStaking.StakeStatus.None);

        uint256 withdrawn = _applyFor(taskId, human);
        _stakingAs(human).withdrawStake(withdrawn);
        _assertRefused(taskId, withdrawn, IApplicationStaking.StakeStatus.Ended);

        uint256 rejected = _applyFor(taskId, human);
        _stakingAs(agent).rejectApplication(rejected);
        _assertRefused(taskId, rejected, IApplicationStaking.StakeStatus.Ended);

        _applyFor(taskId, human);
        _assertRefused(taskId, withdrawn, IApplicationStaking.StakeStatus.Ended);
    }

    function test_RevertWhen_ApplicationForOtherTask() external {
        uint256 other = _applyFor(_post(), human);
        uint256 taskId = _post();
        expectError(IApplicationStaking.ApplicationForOtherTask.selector, other, taskId);
        _accept(taskId, other);
    }

    function test_RevertWhen_Expired() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        uint256 expiresAt = START + 7 days;
        for (uint256 i = 0; i < 2; ++i) {
            vm.warp(expiresAt + i);
            expectError(IApplicationStaking.ApplicationExpired.selector, applicationId, expiresAt);
            _accept(taskId, applicationId);
        }

        vm.warp(expiresAt - 1);
        _accept(taskId, applicationId);
        _assertStatus(taskId, IEscrow.Status.Active);
    }

    function test_RevertWhen_PartyBecameValidator() external {
        address[2] memory parties = [agent, human];
        for (uint256 i = 0; i < parties.length; ++i) {
            uint256 taskId = _post();
            uint256 applicationId = _applyFor(taskId, human);
            _changePanel(parties[i], address(0), 3);
            expectError(IEscrow.ValidatorIsParty.selector, parties[i]);
            _accept(taskId, applicationId);
            _changePanel(address(0), parties[i], QUORUM);
        }
    }

    function test_Accepts() external {
        uint256 taskId = _post();
        _applyFor(taskId, rival);
        uint256 applicationId = _applyFor(taskId, human);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskCreated(taskId, agent, human, AMOUNT, FEE);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskCreatedWithApplication(taskId, applicationId, agent);
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationStakeActivated(applicationId, taskId);
        _accept(taskId, applicationId);

        IEscrow.TaskView memory task = escrow.getTask(taskId);
        vm.assertEq(task.human, human);
        vm.assertEq(task.applicationId, applicationId);
        vm.assertEq(task.amount, AMOUNT);
        vm.assertEq(task.status, uint8(IEscrow.Status.Active));
        vm.assertEq(task.submittedAt, 0);
        vm.assertEq(escrow.panelOf(taskId), escrow.panel());
        vm.assertEq(staking.getStake(applicationId).amount, STAKE);
    }

    function test_KeepsItsPanel() external {
        uint256 taskId = _active();
        _changePanel(stranger, validators[0], 3);
        vm.assertEq(escrow.panelOf(taskId), 1);
        vm.assertEq(escrow.panel(), 2);
    }

    function _changePanel(address added, address removed, uint8 quorum) private {
        _escrowAs(owner).changePanel(_list(added), _list(removed), quorum);
    }

    function _assertRefused(
        uint256 taskId,
        uint256 applicationId,
        IApplicationStaking.StakeStatus status
    ) private {
        expectError(IApplicationStaking.StakeNotLocked.selector, applicationId, uint256(status));
        _accept(taskId, applicationId);
    }
}
