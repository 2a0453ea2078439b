// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ballotOf, counted} from "../utils/Ballots.sol";
import {OwnerStory} from "../utils/OwnerStory.sol";
import {expectError, signatureOf, vm} from "../utils/Vm.sol";

/// @dev Attack: the vote on a dispute goes against the owner's side. The owner changes the panel
/// during the vote: removes signers, adds friends to outvote the rest, lowers the quorum to the
/// votes already cast, or raises it out of reach.
///
/// Defence: whether a signature counts, and how many are needed, depends on the panel that the task
/// stored at acceptance. Past panels are never changed.
contract PanelChangedDuringDisputeTest is OwnerStory {
    uint256 private taskId;
    bytes[] private signedBefore;

    function setUp() public override {
        super.setUp();
        taskId = _disputed(agent);
        delete signedBefore;
        bytes[] memory signatures = _verdict(taskId, true);
        for (uint256 i = 0; i < signatures.length; ++i) {
            signedBefore.push(signatures[i]);
        }
        _assertBound();
    }

    function test_OutvotingTheRest() external {
        _changePanel(_friends(), new address[](0), 4);
        _refusesFriends(taskId, false);

        // One vote from the panel and one from a friend do not make a quorum.
        bytes32 digest = escrow.verdictDigest(taskId, false);
        bytes[] memory signatures =
            counted(ballotOf(keys[2], digest), ballotOf(friendKeys[0], digest));
        _refusesSigner(vm.addr(friendKeys[0]), taskId, false, signatures);
        _assertBound();
        escrow.approveSubmission(taskId, signedBefore);
        _assertReleased();
    }

    function test_LoweringTheQuorum() external {
        address[] memory removed = new address[](2);
        (removed[0], removed[1]) = (validators[0], validators[1]);
        _changePanel(new address[](0), removed, 1);

        bytes[] memory alone = new bytes[](1);
        alone[0] = signatureOf(keys[2], escrow.verdictDigest(taskId, false));
        expectError(IEscrow.QuorumNotReached.selector, 1, QUORUM);
        _escrowAs(validators[2]).rejectSubmission(taskId, alone);
        _assertBound();
        escrow.approveSubmission(taskId, signedBefore);
        _assertReleased();
    }

    /// @dev Forty further panel changes affect neither the vote nor its window.
    function test_ChangingAgainAndAgain() external {
        uint256 dueAt = escrow.due(taskId);
        _replacePanel();
        for (uint8 i = 0; i < 40; ++i) {
            _changePanel(new address[](0), new address[](0), i % 2 == 0 ? 3 : 2);
        }
        vm.assertEq(escrow.panel(), 42);
        vm.assertEq(escrow.panelOf(taskId), 1);
        vm.assertEq(escrow.due(taskId), dueAt);
        _refusesFriends(taskId, false);
        _assertBound();

        vm.warp(dueAt - 1);
        escrow.approveSubmission(taskId, signedBefore);
        _assertReleased();
    }
}
