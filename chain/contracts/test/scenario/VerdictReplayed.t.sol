// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApplicationStaking} from "../../src/ApplicationStaking.sol";
import {Escrow} from "../../src/Escrow.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Attack: a verdict becomes public when it is submitted. A party submits it again: for
/// another task, in another round, for the opposite outcome, on another chain after a fork, or to
/// another escrow with the same validators.
///
/// Defence: the signed data contains the task, the work, the round, the verdict, the chain and the
/// contract, and an ended task is final. A verdict is therefore valid in one place and only once.
contract VerdictReplayedTest is Story {
    function test_AgainOnTheSameTask() external {
        (uint256 taskId, uint256 other) = (_disputed(agent), _disputed(agent));
        bytes[] memory verdict = _verdict(taskId, true);
        escrow.approveSubmission(taskId, verdict);
        vm.expectRevert(_wrongStatus(taskId, IEscrow.Status.Released));
        _escrowAs(human).approveSubmission(taskId, verdict);
        _assertBooks(0, 1, 1, 0);
        _assertStatus(other, IEscrow.Status.Disputed);
    }

    /// @dev The two tasks differ only in their id.
    function test_OnAnotherTask() external {
        (uint256 taskId, uint256 other) = (_disputed(agent), _disputed(agent));
        bytes[] memory verdict = _verdict(taskId, true);
        _refusesApproval(other, verdict);
        escrow.approveSubmission(taskId, verdict);
        _refusesApproval(other, verdict);
        _assertBooks(0, 1, 1, 0);

        escrow.rejectSubmission(other, _verdict(other, false));
        _assertBooks(0, 0, 1, 1);
    }

    function test_ForTheOppositeVerdict() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory rejection = _verdict(taskId, false);
        _refusesApproval(taskId, rejection);
        bytes[] memory approval = _verdict(taskId, true);
        bytes memory call = abi.encodeCall(IEscrow.rejectSubmission, (taskId, approval));
        vm.assertTrue(!_tries(agent, call), "an approval counted as rejection");
        _assertBound();

        escrow.rejectSubmission(taskId, rejection);
        _assertRefunded();
    }

    /// @dev Validators sign a verdict for the review, but a dispute is mined first.
    function test_ReviewInTheDispute() external {
        address[2] memory disputants = [agent, human];
        for (uint256 i = 0; i < disputants.length; ++i) {
            setUp();
            uint256 taskId = _submitted();
            bytes[] memory review = _verdict(taskId, true);
            _escrowAs(disputants[i]).disputeTask(taskId);
            vm.warp(START + 24 hours);
            _refusesApproval(taskId, review);
            _assertBound();

            escrow.approveSubmission(taskId, _verdict(taskId, true));
            _assertReleased();
        }
    }

    /// @dev A rejection signed before the agent's approval is invalid after it.
    function test_RejectionAfterApproval() external {
        uint256 taskId = _submitted();
        bytes[] memory rejection = _verdict(taskId, false);
        _escrowAs(agent).agentApproveTask(taskId);
        vm.warp(START + 24 hours);
        expectError(IEscrow.AgentHasApproved.selector, taskId);
        _escrowAs(stranger).rejectSubmission(taskId, rejection);
        _assertBound();
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    /// @dev After a chain fork, verdicts signed for one chain are invalid on the other, without
    /// redeploying the contracts.
    function test_OnAnotherChain() external {
        uint256 taskId = _disputed(agent);
        uint256 chain = block.chainid;
        bytes[] memory verdict = _verdict(taskId, true);

        vm.chainId(chain + 1);
        _refusesApproval(taskId, verdict);
        bytes[] memory verdictThere = _verdict(taskId, true);
        vm.chainId(chain);
        _refusesApproval(taskId, verdictThere);
        _assertBound();

        vm.chainId(chain + 1);
        escrow.approveSubmission(taskId, verdictThere);
        _assertReleased();
    }

    /// @dev Replays a verdict to a second escrow with the same token, validators, parties, work and
    /// task id.
    function test_OnAnotherContract() external {
        uint256 taskId = _disputed(agent);
        (Escrow first, ApplicationStaking firstStaking) = (escrow, staking);
        bytes[] memory verdict = _verdict(taskId, true);
        _useSecondEscrow();
        vm.assertEq(_disputed(agent), taskId);
        _assertTwoEscrows(first, firstStaking, 2);

        _refusesApproval(taskId, verdict);
        _assertTwoEscrows(first, firstStaking, 2);
        first.approveSubmission(taskId, verdict);
        _refusesApproval(taskId, verdict);
        _assertTwoEscrows(first, firstStaking, 1);
        _assertStatus(taskId, IEscrow.Status.Disputed);

        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertTwoEscrows(first, firstStaking, 0);
    }

    function _useSecondEscrow() private {
        escrow = _newEscrow();
        staking = ApplicationStaking(address(escrow.applicationStaking()));
        vm.prank(agent);
        token.approve(address(escrow), type(uint256).max);
        vm.prank(human);
        token.approve(address(staking), type(uint256).max);
    }

    /// @dev Checks the balances of both escrows. Of two tasks, one in each escrow, `live` have not
    /// been released yet; the first escrow's task is released first.
    function _assertTwoEscrows(Escrow first, ApplicationStaking firstStaking, uint256 live)
        private
        view
    {
        uint256 released = 2 - live;
        uint256 inFirst = live == 2 ? 1 : 0;
        uint256 inSecond = live == 0 ? 0 : 1;
        _assertHolds(address(first), AMOUNT * inFirst, "first escrow");
        _assertHolds(address(firstStaking), STAKE * inFirst, "first staking");
        _assertHolds(address(escrow), AMOUNT * inSecond, "second escrow");
        _assertHolds(address(staking), STAKE * inSecond, "second staking");
        _assertHolds(agent, FUNDS - 2 * AMOUNT, "agent");
        _assertHolds(human, FUNDS - STAKE * live + released * (AMOUNT - PLATFORM_FEE), "human");
        _assertHolds(address(treasury), released * PLATFORM_FEE, "treasury");
        _assertBystanders();
    }

    /// @dev Asserts that the approval reverts. Signatures of a different digest recover to accounts
    /// that are not validators.
    function _refusesApproval(uint256 taskId, bytes[] memory signatures) private {
        bytes memory call = abi.encodeCall(IEscrow.approveSubmission, (taskId, signatures));
        vm.assertTrue(!_tries(human, call), "a verdict counted twice");
    }
}
