// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {Books, Money} from "../utils/Books.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Attack: an agent posts a task only to reject all applicants. Each applicant loses the
/// stake, 5 % of the task's amount, to the treasury. The agent gains nothing, gets the amount back
/// by cancelling, and pays the gas. Applicants know this rule before they apply. Limits: an
/// applicant who withdraws before the decision gets the whole stake back. An application cannot be
/// rejected if it is accepted, expired or withdrawn, or if it is for another agent's task.
contract AgentRejectsAllApplicantsTest is Books {
    uint256 private constant APPLICANTS = 50;

    address[] private applicants;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < APPLICANTS; ++i) {
            applicants.push(vm.addr(0x5000 + i));
            _fund(applicants[i]);
        }
    }

    function test_AllStakesForfeited() external {
        Money memory books = _money();
        uint256 taskId = _post();
        for (uint256 i = 0; i < APPLICANTS; ++i) {
            _applyFor(taskId, applicants[i]);
        }
        books.agent -= AMOUNT;
        books.escrow += AMOUNT;
        books.staking += APPLICANTS * STAKE;
        _assertMoney(books);

        for (uint256 id = 1; id <= APPLICANTS; ++id) {
            _stakingAs(agent).rejectApplication(id);
            books.staking -= STAKE;
            books.treasury += STAKE;
            _assertMoney(books);
            vm.assertEq(token.balanceOf(applicants[id - 1]), FUNDS - STAKE);
        }

        _escrowAs(agent).cancelTask(taskId);
        books.agent += AMOUNT;
        books.escrow -= AMOUNT;
        _assertMoney(books);
        vm.assertEq(books.agent, FUNDS, "the agent gains nothing");
        _assertEmpty();
    }

    /// @dev Every second applicant withdraws before the decision and gets the whole stake back.
    function test_WithdrawnBeforeTheDecision() external {
        uint256 taskId = _post();
        for (uint256 i = 0; i < APPLICANTS; ++i) {
            _applyFor(taskId, applicants[i]);
        }
        Money memory books = _money();
        for (uint256 id = 1; id <= APPLICANTS; id += 2) {
            _stakingAs(applicants[id - 1]).withdrawStake(id);
            books.staking -= STAKE;
            vm.assertEq(token.balanceOf(applicants[id - 1]), FUNDS);
            _assertRejectRefused(id, _notLocked(id, IApplicationStaking.StakeStatus.Ended));
        }
        _assertMoney(books);
    }

    function test_AcceptedCannotBeRejected() external {
        uint256 taskId = _post();
        uint256 accepted = _applyFor(taskId, human);
        uint256 loser = _applyFor(taskId, rival);
        _accept(taskId, accepted);
        _assertRejectRefused(
            accepted, _notLocked(accepted, IApplicationStaking.StakeStatus.Activated)
        );
        _assertRejectRefused(
            loser, abi.encodeWithSelector(IApplicationStaking.TaskNotOpen.selector, taskId)
        );

        Money memory books = _money();
        _stakingAs(stranger).withdrawStake(loser);
        _escrowAs(human).submitTask(taskId, WORK);
        vm.warp(START + 37 days);
        escrow.settle(taskId);
        books.staking -= STAKE;
        books.rival += STAKE;
        _bookRelease(books);
        _assertMoney(books);
    }

    /// @dev An application cannot be rejected after the task is cancelled, or by another agent. The
    /// other agent has also posted a task.
    function test_OnlyOwnAgentWhilePosted() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        _escrowAs(rival).postTask(AMOUNT, FEE, TERMS);
        address[4] memory others = [rival, owner, human, address(escrow)];
        for (uint256 i = 0; i < others.length; ++i) {
            expectError(IApplicationStaking.NotTheIntendedAgent.selector, applicationId, others[i]);
            _stakingAs(others[i]).rejectApplication(applicationId);
        }
        _escrowAs(agent).cancelTask(taskId);
        _assertRejectRefused(
            applicationId, abi.encodeWithSelector(IApplicationStaking.TaskNotOpen.selector, taskId)
        );
        _assertRejectRefused(99, _notLocked(99, IApplicationStaking.StakeStatus.None));
    }

    function _assertRejectRefused(uint256 applicationId, bytes memory reason) private {
        bytes memory call = abi.encodeCall(IApplicationStaking.rejectApplication, (applicationId));
        _assertRefused(agent, address(staking), call, reason);
    }
}
