// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {IPanels} from "../../src/interfaces/IPanels.sol";
import {ballotOf, counted} from "../utils/Ballots.sol";
import {OwnerStory} from "../utils/OwnerStory.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Attack: a validator wants to judge its own task by posting or applying, by joining the
/// panel after the task was posted, applied for or accepted, or by leaving the panel temporarily.
///
/// Defence: a current validator can neither post nor apply, and acceptance reverts if a party is a
/// member of the panel that the task would store. A party that joins later is only in a later
/// panel, which does not decide the task. A removed validator can be a party only to tasks accepted
/// after the removal.
contract ValidatorIsPartyTest is OwnerStory {
    uint256 private constant RIVAL_KEY = 0xB2;

    function test_ValidatorPosts() external {
        vm.expectRevert(_isParty(validators[0]));
        _escrowAs(validators[0]).postTask(AMOUNT, FEE, TERMS);
        _assertUntouched();
    }

    function test_ValidatorApplies() external {
        uint256 taskId = _post();
        vm.expectRevert(_isParty(validators[0]));
        _stakingAs(validators[0]).lockApplicationStake(taskId, STAKE);
        _assertBooks(1, 0, 0, 0);
    }

    /// @dev The agent becomes a validator after posting: the task can no longer be accepted, and
    /// cancelling refunds the full amount.
    function test_JoinsAfterPosting() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        _changePanel(_list(agent), new address[](0), 3);

        _refuses(agent, _acceptance(taskId, applicationId), _isParty(agent));
        _escrowAs(agent).cancelTask(taskId);
        _stakingAs(human).withdrawStake(applicationId);
        _assertUntouched();
    }

    /// @dev The human becomes a validator after applying: the agent cannot accept that application,
    /// but can accept another human's.
    function test_JoinsAfterApplying() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        _changePanel(_list(human), new address[](0), 3);

        _refuses(agent, _acceptance(taskId, applicationId), _isParty(human));
        _stakingAs(human).withdrawStake(applicationId);
        _assertBooks(1, 0, 0, 0);

        _accept(taskId, _applyFor(taskId, rival));
        vm.assertEq(escrow.getTask(taskId).human, rival);
        _assertHolds(rival, FUNDS - STAKE, "rival");
        _assertHolds(human, FUNDS, "human");
    }

    /// @dev The human becomes a validator after acceptance and signs a verdict on the human's own
    /// work.
    function test_HumanJoinsAfterAcceptance() external {
        uint256 taskId = _submitted();
        _changePanel(_list(human), new address[](0), 3);
        _escrowAs(agent).disputeTask(taskId);

        _refusesOwnVote(taskId, true, HUMAN_KEY);
        _assertBound();
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev The agent becomes a validator after acceptance and signs against the work. The vote is
    /// invalid, and the human is paid.
    function test_AgentJoinsAfterAcceptance() external {
        uint256 taskId = _submitted();
        _changePanel(_list(agent), new address[](0), 3);
        _escrowAs(agent).disputeTask(taskId);

        _refusesOwnVote(taskId, false, AGENT_KEY);
        _assertBound();
        _escrowAs(agent).agentApproveTask(taskId);
        vm.warp(START + 72 hours);
        escrow.settle(taskId);
        _assertReleased();
    }

    /// @dev A validator is removed in order to apply. The task is accepted under the panel without
    /// that validator, whose vote on its own work is invalid.
    function test_LeavesAndApplies() external {
        _changePanel(_list(rival), new address[](0), 3);
        uint256 taskId = _post();
        vm.expectRevert(_isParty(rival));
        _stakingAs(rival).lockApplicationStake(taskId, STAKE);

        _changePanel(new address[](0), _list(rival), QUORUM);
        _accept(taskId, _applyFor(taskId, rival));
        _escrowAs(rival).submitTask(taskId, WORK);
        _escrowAs(agent).disputeTask(taskId);
        _refusesOwnVote(taskId, true, RIVAL_KEY);

        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertHolds(rival, FUNDS - STAKE, "rival");
        _assertHolds(address(treasury), STAKE, "treasury");
        _assertHolds(agent, FUNDS, "agent");
        _assertHolds(human, FUNDS, "human");
        _assertEmpty();
    }

    /// @dev A removed validator can never be added again, so an account cannot alternate between
    /// the two roles.
    function test_LeavesAppliesAndReturns() external {
        _changePanel(_list(rival), new address[](0), 3);
        _changePanel(new address[](0), _list(rival), QUORUM);
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, rival);
        expectError(IPanels.ValidatorKnown.selector, rival);
        _escrowAs(owner).changePanel(_list(rival), new address[](0), 3);
        _stakingAs(rival).withdrawStake(applicationId);
        _assertBooks(1, 0, 0, 0);
    }

    /// @dev Removed validators still decide their panel's tasks while they are parties to other
    /// tasks. One of them votes on such a task, and cannot vote on its own task.
    function test_JudgesOldTasksOnly() external {
        uint256 old = _disputed(agent);
        _changePanel(_list(stranger), _list(validators[0]), QUORUM);
        vm.assertTrue(token.transfer(validators[0], STAKE));
        vm.prank(validators[0]);
        token.approve(address(staking), STAKE);
        uint256 own = _post();
        _accept(own, _applyFor(own, validators[0]));
        _escrowAs(validators[0]).submitTask(own, WORK);
        _escrowAs(agent).disputeTask(own);

        _refusesOwnVote(own, true, keys[0]);
        escrow.approveSubmission(old, _verdict(old, true));
        _assertHolds(human, FUNDS + AMOUNT - PLATFORM_FEE, "human");
        _assertHolds(address(escrow), AMOUNT, "escrow");
        _assertHolds(address(staking), STAKE, "staking");
        _assertHolds(validators[0], 0, "validator");
    }

    /// @dev Asserts that a verdict signed by `key` and by a current validator of the panel reverts.
    function _refusesOwnVote(uint256 taskId, bool approved, uint256 key) private {
        bytes32 digest = escrow.verdictDigest(taskId, approved);
        bytes[] memory signatures = counted(ballotOf(keys[2], digest), ballotOf(key, digest));
        _refusesSigner(vm.addr(key), taskId, approved, signatures);
    }

    function _acceptance(uint256 taskId, uint256 applicationId)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeCall(IEscrow.acceptApplicationForTask, (taskId, applicationId));
    }

    function _isParty(address account) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.ValidatorIsParty.selector, account);
    }
}
