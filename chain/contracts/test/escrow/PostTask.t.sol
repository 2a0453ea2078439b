// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {Signature, signPermit} from "../utils/Permits.sol";
import {Vm, bound, expectError, vm} from "../utils/Vm.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

contract PostTaskTest is Market {
    uint256 private constant DEADLINE = START + 1 hours;

    function test_RevertWhen_Paused() external {
        Signature memory permit = _permit(AGENT_KEY, AMOUNT, DEADLINE);
        _escrowAs(guardian).pause();

        vm.expectRevert(Pausable.EnforcedPause.selector);
        escrow.postTask(AMOUNT, FEE, TERMS);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        escrow.postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        escrow.postTaskWithPermit(AMOUNT, FEE, TERMS, DEADLINE, permit.v, permit.r, permit.s);
    }

    function testFuzz_RevertWhen_BelowMinimum(uint256 amount) external {
        uint256 minimum = escrow.MINIMUM_ESCROW();
        amount = bound(amount, 0, minimum - 1);
        expectError(IEscrow.AmountBelowMinimum.selector, amount, minimum);
        _escrowAs(agent).postTask(amount, FEE, TERMS);
    }

    function test_AtTheMinimum() external {
        vm.assertEq(escrow.MINIMUM_ESCROW(), 0.01 ether);
        vm.assertEq(escrow.getTask(_post(0.01 ether)).amount, 0.01 ether);
        expectError(IEscrow.AmountBelowMinimum.selector, 0.01 ether - 1, 0.01 ether);
        _escrowAs(agent).postTask(0.01 ether - 1, FEE, TERMS);
    }

    function testFuzz_RevertWhen_OtherFee(uint16 fee) external {
        vm.assume(fee != FEE);
        expectError(IEscrow.FeeMismatch.selector, fee, FEE);
        _escrowAs(agent).postTask(AMOUNT, fee, TERMS);
    }

    function test_RevertWhen_Validator() external {
        expectError(IEscrow.ValidatorIsParty.selector, validators[0]);
        _escrowAs(validators[0]).postTask(AMOUNT, FEE, TERMS);
    }

    /// @dev Another account cannot post a task with a copied permit, because the escrow charges
    /// only the caller.
    function test_RevertWhen_PermitOfAnotherAccount() external {
        Signature memory permit = _permit(AGENT_KEY, AMOUNT, DEADLINE);
        vm.expectRevert();
        _escrowAs(stranger).postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
        vm.assertEq(token.balanceOf(agent), FUNDS);

        _use(permit, AMOUNT);
        vm.expectRevert();
        _escrowAs(stranger).postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
        vm.assertEq(token.balanceOf(agent), FUNDS);
    }

    function test_RevertWhen_PermitExpired() external {
        _withdrawAllowance();
        Signature memory permit = _permit(AGENT_KEY, AMOUNT, START - 1);
        vm.expectRevert();
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, START - 1, permit.v, permit.r, permit.s);
    }

    function test_RevertWhen_PermitForLess() external {
        _withdrawAllowance();
        Signature memory permit = _permit(AGENT_KEY, AMOUNT - 1, DEADLINE);
        vm.expectRevert();
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
    }

    function testFuzz_Permit(uint256 amount) external {
        amount = bound(amount, escrow.MINIMUM_ESCROW(), FUNDS);
        _withdrawAllowance();
        Signature memory permit = _permit(AGENT_KEY, amount, DEADLINE);

        uint256 taskId = _escrowAs(agent)
            .postTaskWithPermit(amount, FEE, DEADLINE, permit.v, permit.r, permit.s);

        _assertPosted(taskId, amount);
        vm.assertEq(token.allowance(agent, address(escrow)), 0);
    }

    function testFuzz_PermitAndTerms(uint256 amount, bytes32 terms) external {
        vm.assume(terms != 0);
        amount = bound(amount, escrow.MINIMUM_ESCROW(), FUNDS);
        _withdrawAllowance();
        Signature memory permit = _permit(AGENT_KEY, amount, DEADLINE);

        vm.expectEmit(address(escrow));
        emit IEscrow.TaskTerms(1, terms);
        uint256 taskId = _escrowAs(agent)
            .postTaskWithPermit(amount, FEE, terms, DEADLINE, permit.v, permit.r, permit.s);

        _assertPosted(taskId, amount);
    }

    function testFuzz_Allowance(uint256 amount, bytes32 terms) external {
        vm.assume(terms != 0);
        amount = bound(amount, escrow.MINIMUM_ESCROW(), FUNDS);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskPosted(1, agent, amount, FEE);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskTerms(1, terms);
        uint256 taskId = _escrowAs(agent).postTask(amount, FEE, terms);

        _assertPosted(taskId, amount);
    }

    function test_NoTerms() external {
        vm.recordLogs();
        _escrowAs(agent).postTask(AMOUNT, FEE, 0);
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, DEADLINE, 27, 0, 0);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            vm.assertTrue(logs[i].topics[0] != IEscrow.TaskTerms.selector);
        }
    }

    function test_IdsFromOne() external {
        vm.assertEq(escrow.taskCount(), 0);
        vm.assertEq(_post(), 1);
        vm.assertEq(_post(), 2);
        vm.assertEq(escrow.taskCount(), 2);
    }

    function test_UnknownTaskIsZero() external view {
        IEscrow.TaskView memory none = escrow.getTask(1);
        vm.assertEq(keccak256(abi.encode(none)), keccak256(new bytes(320)));
        (address agentOf, uint256 amount) = escrow.offerOf(1);
        vm.assertEq(agentOf, address(0));
        vm.assertEq(amount, 0);
        vm.assertEq(escrow.due(1), 0);
        vm.assertEq(escrow.panelOf(1), 0);
    }

    function _permit(uint256 key, uint256 amount, uint256 deadline)
        private
        view
        returns (Signature memory)
    {
        return signPermit(IERC20Permit(address(token)), key, address(escrow), amount, deadline);
    }

    function _use(Signature memory permit, uint256 amount) private {
        vm.prank(stranger);
        IERC20Permit(address(token))
            .permit(agent, address(escrow), amount, DEADLINE, permit.v, permit.r, permit.s);
    }

    function _withdrawAllowance() private {
        vm.prank(agent);
        token.approve(address(escrow), 0);
    }

    function _assertPosted(uint256 taskId, uint256 amount) private view {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        vm.assertEq(task.agent, agent);
        vm.assertEq(task.human, address(0));
        vm.assertEq(task.amount, amount);
        vm.assertEq(task.feeBasisPoints, FEE);
        vm.assertEq(task.status, uint8(IEscrow.Status.Posted));
        vm.assertEq(token.balanceOf(agent), FUNDS - amount);
        vm.assertEq(token.balanceOf(address(escrow)), amount);
    }
}
