// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {Signature, signPermit} from "../utils/Permits.sol";
import {bound, expectError, vm} from "../utils/Vm.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

contract LockStakeTest is Market {
    function test_RevertWhen_Validator() external {
        uint256 taskId = _post();
        expectError(IEscrow.ValidatorIsParty.selector, validators[0]);
        _stakingAs(validators[0]).lockApplicationStake(taskId, STAKE);
    }

    function test_RevertWhen_NotPosted() external {
        uint256[5] memory tasks =
            [uint256(99), _active(), _submitted(), _disputed(agent), _cancelled()];
        for (uint256 i = 0; i < tasks.length; ++i) {
            expectError(IApplicationStaking.TaskNotOpen.selector, tasks[i]);
            _stakingAs(rival).lockApplicationStake(tasks[i], STAKE);
            vm.assertEq(staking.requiredStake(tasks[i]), 0);
        }
    }

    function test_RevertWhen_Agent() external {
        uint256 taskId = _post();
        expectError(IApplicationStaking.AgentCannotApply.selector, agent);
        _stakingAs(agent).lockApplicationStake(taskId, STAKE);
    }

    function testFuzz_RevertWhen_OtherAmount(uint256 amount) external {
        vm.assume(amount != STAKE);
        uint256 taskId = _post();
        expectError(IApplicationStaking.StakeMismatch.selector, amount, STAKE);
        _stakingAs(human).lockApplicationStake(taskId, amount);
    }

    function test_RevertWhen_AppliedBefore() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        for (uint256 i = 0; i < 2; ++i) {
            expectError(IApplicationStaking.AlreadyApplied.selector, applicationId);
            _stakingAs(human).lockApplicationStake(taskId, STAKE);
            vm.warp(START + 8 days);
        }
    }

    function test_AgainAfterTheEnd() external {
        uint256 taskId = _post();
        uint256 first = _applyFor(taskId, human);
        _stakingAs(human).withdrawStake(first);
        vm.warp(START + 1 days);
        uint256 second = _applyFor(taskId, human);

        vm.assertEq(second, 2);
        IApplicationStaking.StakeView memory ended = staking.getStake(first);
        vm.assertEq(ended.human, human);
        vm.assertEq(ended.amount, 0);
        vm.assertEq(ended.expiresAt, 0);
        vm.assertEq(uint256(ended.status), uint256(IApplicationStaking.StakeStatus.Ended));
        vm.assertEq(staking.getStake(second).amount, STAKE);
        vm.assertEq(staking.getStake(second).expiresAt, START + 8 days);
    }

    function testFuzz_Locks(uint256 amount) external {
        amount = bound(amount, escrow.MINIMUM_ESCROW(), FUNDS);
        _cancelled();
        uint256 taskId = _post(amount);
        uint256 stake = amount * 5 / 100;
        if (stake < 1e15) stake = 1e15;
        if (stake > 10e18) stake = 10e18;
        vm.assertEq(staking.requiredStake(taskId), stake);

        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationStakeLocked(1, human, agent, stake, START + 7 days);
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationForTask(1, taskId);
        uint256 applicationId = _stakingAs(human).lockApplicationStake(taskId, stake);

        _assertLocked(applicationId, taskId, stake);
    }

    function test_Permit() external {
        uint256 taskId = _post();
        Signature memory permit = _permit();
        uint256 applicationId = _stakingAs(human)
            .lockApplicationStakeWithPermit(taskId, STAKE, START, permit.v, permit.r, permit.s);
        _assertLocked(applicationId, taskId, STAKE);
    }

    function test_RevertWhen_PermitOfAnotherAccount() external {
        uint256 taskId = _post();
        Signature memory permit = _permit();
        vm.expectRevert();
        _stakingAs(stranger)
            .lockApplicationStakeWithPermit(taskId, STAKE, START, permit.v, permit.r, permit.s);
        vm.assertEq(token.balanceOf(human), FUNDS);
    }

    function test_UnknownApplicationIsZero() external view {
        bytes32 zeros = keccak256(new bytes(192));
        vm.assertEq(keccak256(abi.encode(staking.getStake(0))), zeros);
        vm.assertEq(keccak256(abi.encode(staking.getStake(9))), zeros);
        vm.assertEq(staking.getStakeHuman(9), address(0));
        vm.assertEq(staking.getStakeIntendedAgent(9), address(0));
        vm.assertEq(staking.getStakeTask(9), 0);
    }

    function _permit() private returns (Signature memory) {
        vm.prank(human);
        token.approve(address(staking), 0);
        return signPermit(IERC20Permit(address(token)), HUMAN_KEY, address(staking), STAKE, START);
    }

    function _assertLocked(uint256 applicationId, uint256 taskId, uint256 stake) private view {
        IApplicationStaking.StakeView memory locked = staking.getStake(applicationId);
        vm.assertEq(locked.human, human);
        vm.assertEq(locked.intendedAgent, agent);
        vm.assertEq(locked.taskId, taskId);
        vm.assertEq(locked.amount, stake);
        vm.assertEq(locked.expiresAt, START + 7 days);
        vm.assertEq(uint256(locked.status), uint256(IApplicationStaking.StakeStatus.Locked));
        vm.assertEq(staking.getStakeHuman(applicationId), human);
        vm.assertEq(staking.getStakeIntendedAgent(applicationId), agent);
        vm.assertEq(staking.getStakeTask(applicationId), taskId);
        vm.assertEq(token.balanceOf(human), FUNDS - stake);
        vm.assertEq(token.balanceOf(address(staking)), stake);
    }
}
