// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {OwnerStory} from "../utils/OwnerStory.sol";
import {vm} from "../utils/Vm.sol";

/// @dev Attack: the owner sides with one party. After acceptance and before the submission, the
/// owner replaces the validators by friends, to refund the agent for good work or to pay the human
/// for none.
///
/// Defence: acceptance stores the current panel in the task. Later panels decide on later tasks;
/// this task is decided by the validators that both parties knew at acceptance, even after all of
/// them were removed.
contract PanelChangedBeforeSubmissionTest is OwnerStory {
    function test_OwnerSidesWithAgent() external {
        uint256 taskId = _active();
        _replacePanel();
        _escrowAs(human).submitTask(taskId, WORK);
        _escrowAs(agent).disputeTask(taskId);

        _refusesFriends(taskId, false);
        _assertBound();
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    function test_OwnerSidesWithHuman() external {
        uint256 taskId = _active();
        _replacePanel();
        _escrowAs(human).submitTask(taskId, keccak256("rubbish"));
        _escrowAs(agent).disputeTask(taskId);

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
        _escrowAs(human).submitTask(taskId, WORK);
        _escrowAs(agent).disputeTask(taskId);

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

    /// @dev A quorum of all members, with one that never signs, would block every verdict.
    function test_HigherQuorumBlocksNothing() external {
        uint256 taskId = _active();
        _changePanel(_list(stranger), new address[](0), 4);
        _escrowAs(human).submitTask(taskId, WORK);
        vm.warp(START + 24 hours);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev A change affects a task only before acceptance. A human whose task has another panel
    /// can resign without loss.
    function test_ChangedBetweenApplicationAndAcceptance() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        vm.assertEq(escrow.panel(), 1);
        _replacePanel();
        _accept(taskId, applicationId);
        vm.assertEq(escrow.panelOf(taskId), 2);
        _assertBound();

        _escrowAs(human).cancelTask(taskId);
        _assertUntouched();
    }
}
