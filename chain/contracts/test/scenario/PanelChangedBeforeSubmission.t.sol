// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {OwnerStory} from "../utils/OwnerStory.sol";
import {vm} from "../utils/Vm.sol";

/// @dev The owner sides with one party. Once the human is bound, and before there is work to rule
/// on, the owner replaces the validators by friends, to refund the agent for good work or to pay
/// the human for none.
///
/// Acceptance stores the panel in force in the task. Later panels rule later tasks; this one is
/// ruled by the people whom both parties knew when they bound themselves, even after all of them
/// were dismissed.
contract PanelChangedBeforeSubmissionTest is OwnerStory {
    function test_OwnerSidesWithAgent() external {
        uint256 taskId = _active();
        _replacePanel();
        vm.prank(human);
        escrow.submitTask(taskId, WORK);
        vm.prank(agent);
        escrow.disputeTask(taskId);

        _refusesFriends(taskId, false);
        _assertBound();
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    function test_OwnerSidesWithHuman() external {
        uint256 taskId = _active();
        _replacePanel();
        vm.prank(human);
        escrow.submitTask(taskId, keccak256("rubbish"));
        vm.prank(agent);
        escrow.disputeTask(taskId);

        _refusesFriends(taskId, true);
        _assertBound();
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev One validator stays, with a quorum of one: alone, that one rules nothing old.
    function test_LowerQuorumReachesNothing() external {
        uint256 taskId = _active();
        address[] memory removed = new address[](2);
        (removed[0], removed[1]) = (validators[1], validators[2]);
        _changePanel(new address[](0), removed, 1);
        vm.prank(human);
        escrow.submitTask(taskId, WORK);
        vm.prank(agent);
        escrow.disputeTask(taskId);

        bytes[] memory alone = _signed(escrow.verdictDigest(taskId, false), 1);
        _refuses(
            agent,
            _ruling(taskId, false, alone),
            abi.encodeWithSelector(IEscrow.QuorumNotReached.selector, 1, QUORUM)
        );
        _assertBound();
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    /// @dev A quorum of all, with a friend who never signs, would block every verdict.
    function test_HigherQuorumBlocksNothing() external {
        uint256 taskId = _active();
        _changePanel(_list(stranger), new address[](0), 4);
        vm.prank(human);
        escrow.submitTask(taskId, WORK);
        vm.warp(START + 24 hours);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev The one moment in which a change reaches a task is before acceptance. The human who
    /// finds the own task under another panel resigns, and has lost nothing.
    function test_ChangedBetweenApplicationAndAcceptance() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        vm.assertEq(escrow.panel(), 1);
        _replacePanel();
        _accept(taskId, applicationId);
        vm.assertEq(escrow.panelOf(taskId), 2);
        _assertBound();

        vm.prank(human);
        escrow.cancelTask(taskId);
        _assertUntouched();
    }
}
