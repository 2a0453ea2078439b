// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Ballot, ballotOf, counted, walletBallot} from "./Ballots.sol";
import {OwnerStory} from "./OwnerStory.sol";

/// @dev A scenario with a smart account on the panel: the three validators and the wallet, with a
/// quorum of three.
abstract contract WalletStory is OwnerStory {
    uint8 internal constant WALLET_QUORUM = 3;

    /// @dev Creates a disputed task whose panel includes `wallet`.
    function _disputedUnder(address wallet) internal returns (uint256) {
        _changePanel(_list(wallet), new address[](0), WALLET_QUORUM);
        return _disputed(agent);
    }

    /// @dev Returns the signatures from two of the three keys, and the wallet's alleged signature.
    function _withWallet(uint256 taskId, bool approved, address wallet, bytes memory signature)
        internal
        view
        returns (bytes[] memory)
    {
        bytes32 digest = escrow.verdictDigest(taskId, approved);
        Ballot[] memory ballots = new Ballot[](WALLET_QUORUM);
        (ballots[0], ballots[1]) = (ballotOf(keys[0], digest), ballotOf(keys[1], digest));
        ballots[2] = walletBallot(wallet, signature);
        return counted(ballots);
    }

    /// @dev Returns the expected error for the wallet's signature, with its index in the sorted
    /// list.
    function _invalidSignature(address wallet) internal view returns (bytes memory) {
        uint256 place = wallet < validators[0] ? 0 : wallet < validators[1] ? 1 : 2;
        return abi.encodeWithSelector(IEscrow.InvalidSignature.selector, place);
    }

    /// @dev Returns the keys' signatures without the wallet's.
    function _withoutWallet(uint256 taskId, bool approved) internal view returns (bytes[] memory) {
        return _signed(escrow.verdictDigest(taskId, approved), WALLET_QUORUM);
    }
}
