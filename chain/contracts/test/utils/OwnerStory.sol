// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Ballot, ballotOf, counted} from "./Ballots.sol";
import {Story} from "./Story.sol";
import {vm} from "./Vm.sol";

/// @dev A story with an owner who has friends: three keys that can become validators.
abstract contract OwnerStory is Story {
    uint256[3] internal friendKeys = [0xF1, 0xF2, 0xF3];

    function _friends() internal view returns (address[] memory friends) {
        friends = new address[](friendKeys.length);
        for (uint256 i = 0; i < friends.length; ++i) {
            friends[i] = vm.addr(friendKeys[i]);
        }
    }

    function _changePanel(address[] memory added, address[] memory removed, uint8 quorum) internal {
        vm.prank(owner);
        escrow.changePanel(added, removed, quorum);
    }

    /// @dev The friends replace all validators.
    function _replacePanel() internal {
        _changePanel(_friends(), validators, QUORUM);
    }

    function _friendsVerdict(uint256 taskId, bool approved) internal view returns (bytes[] memory) {
        bytes32 digest = escrow.verdictDigest(taskId, approved);
        Ballot[] memory ballots = new Ballot[](friendKeys.length);
        for (uint256 i = 0; i < ballots.length; ++i) {
            ballots[i] = ballotOf(friendKeys[i], digest);
        }
        return counted(ballots);
    }

    /// @dev The verdict of strangers to the task's panel is refused, and its lowest signer named.
    function _refusesFriends(uint256 taskId, bool approved) internal {
        bytes[] memory signatures = _friendsVerdict(taskId, approved);
        _refuses(
            owner,
            _ruling(taskId, approved, signatures),
            abi.encodeWithSelector(IEscrow.NotAValidatorOfTask.selector, taskId, _lowestFriend())
        );
    }

    function _ruling(uint256 taskId, bool approved, bytes[] memory signatures)
        internal
        pure
        returns (bytes memory)
    {
        return approved
            ? abi.encodeCall(IEscrow.approveSubmission, (taskId, signatures))
            : abi.encodeCall(IEscrow.rejectSubmission, (taskId, signatures));
    }

    function _lowestFriend() private view returns (address lowest) {
        address[] memory friends = _friends();
        lowest = friends[0];
        for (uint256 i = 1; i < friends.length; ++i) {
            if (friends[i] < lowest) lowest = friends[i];
        }
    }
}
